// selvedge: check --model sc
// expect: violation assertion
// selvedge: check --model sc --strategy states
// expect: violation assertion
// selvedge: check --model tso
// expect: violation assertion
//
// What the attributes of a thread say depends on whether it has detached itself by then.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
static void *leaves(void *argument) {
  pthread_detach(pthread_self());
  return argument;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, leaves, 0);
  pthread_attr_t attributes;
  int state;
  pthread_getattr_np(thread, &attributes);
  pthread_attr_getdetachstate(&attributes, &state);
  assert(state != PTHREAD_CREATE_DETACHED);
}
