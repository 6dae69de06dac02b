// selvedge: check --model sc --strategy auto
// expect: violation uninitialised
// selvedge: check --model sc --strategy optimal
// expect: violation uninitialised
// selvedge: check --model sc --strategy mcr
// expect: unknown memory that holds no value
// selvedge: check --model sc --strategy se-mcr
// expect: unknown memory that holds no value
// selvedge: check --model pso --strategy viequi
// expect: unknown memory that holds no value
//
// Whether the reader comes before the store decides whether it uses memory that was never initialised. The bits of that
// memory are those that the store writes: a strategy that tells executions apart by values alone sees no difference.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic int *shared;

static void *store(void *unused) {
  atomic_store_explicit(shared, 0, memory_order_relaxed);
  return unused;
}

static void *load(void *unused) {
  if (atomic_load(shared) != 0) {
    abort();
  }
  return unused;
}

int main(void) {
  _Atomic int local;
  shared = &local;
  pthread_t storing, loading;
  pthread_create(&storing, NULL, store, NULL);
  pthread_create(&loading, NULL, load, NULL);
  pthread_join(storing, NULL);
  pthread_join(loading, NULL);
  return 0;
}
