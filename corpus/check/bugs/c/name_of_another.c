// selvedge: check --model sc
// expect: unknown
// selvedge: check
// expect: unknown
//
// A thread gives itself a name without any other seeing when. So looking at the name of another one is refused.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <string.h>
static void *named(void *argument) {
  pthread_setname_np(pthread_self(), "worker");
  return argument;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, named, 0);
  char name[16];
  pthread_getname_np(thread, name, sizeof name);
  assert(strcmp(name, "worker") != 0);
  pthread_join(thread, 0);
}
