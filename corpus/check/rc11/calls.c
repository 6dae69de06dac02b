// selvedge: check --model rc11
// expect: verified
// selvedge: check --model rc11 --cflags -DSTORE
// expect: violation data-race
//
// Library functions access exactly the bytes that they need: two that read do not race.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static char name[16] = "hello";
static atomic_int count;

static void *worker(void *unused) {
  atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
  puts(name);
  assert(strlen(name) <= 5);
#ifdef STORE
  strcpy(name, "hi");
#endif
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, worker, 0), pthread_create(&second, 0, worker, 0);
  pthread_join(first, 0), pthread_join(second, 0);
}
