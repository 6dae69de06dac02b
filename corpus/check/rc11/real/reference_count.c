// selvedge: check --model rc11 --leaks
// expect: verified
// selvedge: check --model rc11 --cflags -DDROP=memory_order_relaxed
// expect: violation data-race
// selvedge: check --model rc11 --cflags -DLAST=memory_order_relaxed
// expect: violation data-race
//
// The last owner frees: it must come after everything that the others did.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#ifndef OWNERS
#define OWNERS 2
#endif
#ifndef DROP
#define DROP memory_order_release
#endif
#ifndef LAST
#define LAST memory_order_acquire
#endif

struct object {
  atomic_int owners;
  int value[OWNERS + 1];
};

static void drop(struct object *object) {
  if (atomic_fetch_sub_explicit(&object->owners, 1, DROP) == 1) {
    atomic_thread_fence(LAST);
    free(object);
  }
}

static void *owner(void *given) {
  struct object *object = given;
  int number = atomic_fetch_add_explicit(&object->owners, 1, memory_order_relaxed);
  assert(number > 0);
  assert(object->value[0] == 7);
  drop(object);
  drop(object);
  return 0;
}

int main(void) {
  struct object *object = malloc(sizeof *object);
  object->value[0] = 7;
  atomic_init(&object->owners, OWNERS + 1);
  pthread_t threads[OWNERS];
  for (int i = 0; i < OWNERS; ++i)
    pthread_create(&threads[i], 0, owner, object);
  drop(object);
  for (int i = 0; i < OWNERS; ++i)
    pthread_join(threads[i], 0);
}
