// selvedge: check
// expect: verified
// selvedge: check --cflags -DCOPY
// expect: violation data-race line 48
// selvedge: check --cflags -DCOPY --strategy optimal
// expect: violation data-race line 48
// selvedge: check --cflags -DTEXT
// expect: violation data-race line 50
// selvedge: check --cflags -DTEXT --strategy dpor
// expect: violation data-race line 50
// selvedge: check --cflags -DPRINT
// expect: violation data-race line 50
// selvedge: check --cflags -DPRINT --strategy mcr
// expect: violation data-race
// selvedge: check --cflags -DBEHIND
// expect: verified
//
// Copies and library functions access memory like anybody else: exactly what they need, and it may race.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct record {
  int values[10];
};
struct record from, to;
char text[16] = "hello";

static void *other(void *unused) {
#ifdef COPY
  to = from;
#elif defined(TEXT)
  if (strlen(text) != 5)
    return text;
#elif defined(PRINT)
  puts(text);
#else
  if (strlen(text) != 5 || memcmp(text, "hello", 5))
    return text;
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
#if defined(COPY)
  from.values[3] = 1;
#elif defined(TEXT) || defined(PRINT)
  text[1] = 'a';
#elif defined(BEHIND)
  text[8] = 'x';
#else
  int length = (int)strlen(text);
  printf("%d %s\n", length, text);
#endif
  pthread_join(thread, 0);
}
