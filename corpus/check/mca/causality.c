// selvedge: check --model rc11
// expect: violation assertion
// selvedge: check --model mca
// expect: verified
// selvedge: check --model mca --cflags -DHAND_ON=1
// expect: verified
// selvedge: check --model mca --cflags -DHAND_ON=2
// expect: violation assertion
//
// Who sees a message that was sent after another had been seen must see that other one too, if the one who hands it on
// looks first: the store depends on a condition (0) or on what was read (1). If it does not (2), it may come first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef HAND_ON
#define HAND_ON 0
#endif

struct box {
  atomic_int *where;
  int value;
};

atomic_int first;
atomic_int second;
int seen, other, got, found;

static void store(atomic_int *to, int value) { atomic_store_explicit(to, value, memory_order_relaxed); }

void *starts(void *unused) {
  store(&first, 1);
  return unused;
}

void *hands_on(void *unused) {
  seen = atomic_load_explicit(&first, memory_order_relaxed);
#if HAND_ON == 0
  if (seen)
    other = 1;
  // Behind the condition, and not within it.
  store(&second, 1);
#elif HAND_ON == 1
  store(&second, (seen & 2) + 1);
#else
  store(&second, 1);
#endif
  return unused;
}

void *looks(void *unused) {
  struct box box = {&first, atomic_load_explicit(&second, memory_order_relaxed)};
  struct box copy = box;
  found = atomic_load_explicit(copy.where + (copy.value & 2), memory_order_relaxed);
  got = copy.value;
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, starts, 0);
  pthread_create(&threads[1], 0, hands_on, 0);
  pthread_create(&threads[2], 0, looks, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], 0);
  assert(!(seen == 1 && got == 1 && found == 0));
}
