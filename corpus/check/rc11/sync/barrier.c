// selvedge: check --model rc11 --strategy optimal
// expect: verified
// selvedge: check --model rc11 --strategy optimal --cflags -DNEEDED=2
// expect: violation data-race
// selvedge: check --model rc11 --strategy optimal --cflags -DNEEDED=4
// expect: violation deadlock
//
// All have written when somebody is let through.
#include <assert.h>
#include <pthread.h>
#ifndef NEEDED
#define NEEDED 3
#endif

static pthread_barrier_t barrier;
static int written[3];

static void *worker(void *number) {
  written[(long)number] = 1;
  pthread_barrier_wait(&barrier);
  assert(written[0] + written[1] + written[2] == 3);
  return 0;
}

int main(void) {
  pthread_t others[2];
  pthread_barrier_init(&barrier, 0, NEEDED);
  for (long i = 0; i < 2; i++)
    pthread_create(&others[i], 0, worker, (void *)i);
  worker((void *)2);
  for (int i = 0; i < 2; i++)
    pthread_join(others[i], 0);
}
