// selvedge: check --model rc11 --keep-going
// expect: violation data-race
// selvedge: check --model rc11 --keep-going --without summaries
// expect: violation data-race
// selvedge: check --model rc11 --keep-going --jobs 2
// expect: violation data-race
// The race is found before the search of sequentially consistent executions comes to something weaker, behind which there may be
// more.
#include <pthread.h>

static int flag, data;

static void *reads(void *argument) {
  int copy = data;
  __atomic_store_n(&flag, 1, __ATOMIC_SEQ_CST);
  return (void *)(long)copy;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, reads, 0);
  data = 1;
  __atomic_load_n(&flag, __ATOMIC_RELAXED);
  return 0;
}
