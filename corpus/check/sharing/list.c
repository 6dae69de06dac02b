// selvedge: check
// expect: violation data-race
// selvedge: check --model sc --strategy states
// expect: violation data-race
// selvedge: check --model sc --strategy optimal
// expect: violation data-race
// A function with a va_list reads a shared string that none of its own arguments points to.
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
static char name[8] = "a";
static int print(char *into, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int length = vsnprintf(into, 16, format, list);
  va_end(list);
  return length;
}
static void *thread(void *unused) {
  char text[16];
  print(text, "%s", name);
  return unused;
}
int main(void) {
  pthread_t other;
  pthread_create(&other, 0, thread, 0);
  name[0] = 'b';
  pthread_join(other, 0);
}
