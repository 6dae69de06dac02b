// selvedge: check --model rc11
// expect: violation assertion
// selvedge: check --model mca
// expect: verified
// selvedge: check --model mca --cflags -DLOOK_AHEAD
// expect: violation assertion
//
// A producer, and consumers that hand on what they got one to the next. Whoever has it looks whether the producer has
// said that it is done, which it did first: with an address that depends on what was handed on, as one finds what a pointer
// leads to. Without that (LOOK_AHEAD) a machine may look before it has anything.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define CONSUMERS 3

atomic_int done;
atomic_int place[CONSUMERS + 1];
int got, was_done;

static int get(atomic_int *from) { return atomic_load_explicit(from, memory_order_relaxed); }
static void put(atomic_int *to, int value) { atomic_store_explicit(to, value, memory_order_relaxed); }

void *produces(void *unused) {
  put(&done, 1);
  atomic_thread_fence(memory_order_release);
  put(&place[0], 1);
  return unused;
}

void *hands_on(void *number) {
  long own = (long)number;
  put(&place[own], get(&place[own - 1]));
  return 0;
}

void *looks(void *unused) {
  got = get(&place[CONSUMERS]);
#ifdef LOOK_AHEAD
  was_done = get(&done);
#else
  was_done = get(&done + (got & 2));
#endif
  return unused;
}

int main(void) {
  pthread_t producer, consumers[CONSUMERS], last;
  pthread_create(&producer, 0, produces, 0);
  for (long i = 0; i < CONSUMERS; i++)
    pthread_create(&consumers[i], 0, hands_on, (void *)(i + 1));
  pthread_create(&last, 0, looks, 0);
  pthread_join(producer, 0), pthread_join(last, 0);
  for (int i = 0; i < CONSUMERS; i++)
    pthread_join(consumers[i], 0);
  assert(!got || was_done);
}
