// selvedge: check --model tso
// expect: violation memory
// selvedge: check --model pso
// expect: violation memory
// selvedge: check --model sc
// expect: violation memory
// selvedge: check --model tso --strategy dpor
// expect: violation memory
// selvedge: check --model tso --strategy optimal
// expect: violation memory
// selvedge: check --model pso --strategy dpor
// expect: violation memory
// selvedge: check --model tso --strategy states
// expect: violation memory
// A store that goes to a buffer needs its object to be there; its scope may have ended.
#include <pthread.h>
#include <stdlib.h>

int *box;

static void *storing(void *unused) {
  int *found = __atomic_load_n(&box, __ATOMIC_ACQUIRE);
  if (found)
    __atomic_store_n(found, 3, __ATOMIC_RELAXED);
  return 0;
}

static void *lending(void *unused) {
  int own = 2;
  __atomic_store_n(&box, &own, __ATOMIC_RELEASE);
  __atomic_exchange_n(&box, 0, __ATOMIC_ACQ_REL);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, storing, 0);
  pthread_create(&b, 0, lending, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
