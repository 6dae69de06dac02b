// selvedge: check --model sc
// expect: unknown
// selvedge: check --model tso
// expect: unknown
// selvedge: check
// expect: unknown
//
// A thread changes the locale of the process while another one asks for it. Neither call is a step that others could come before.
#include <assert.h>
#include <locale.h>
#include <pthread.h>
#include <string.h>
static void *changes(void *argument) {
  setlocale(LC_ALL, "C.UTF-8");
  return argument;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, changes, 0);
  assert(strcmp(setlocale(LC_ALL, 0), "C") == 0);
  pthread_join(thread, 0);
}
