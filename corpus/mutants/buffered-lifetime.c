// selvedge: check --model tso
// expect: violation memory
// mutant: verified
// A store goes to the buffer, but its object has to be there.
#include <assert.h>
#include <pthread.h>

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
