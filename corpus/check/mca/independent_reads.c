// selvedge: check --model rc11
// expect: violation assertion
// selvedge: check --model mca
// expect: verified
// selvedge: check --model mca --cflags -DFREE
// expect: violation assertion
//
// Two readers see two stores in different orders. The language allows that even where each second load depends on the
// first; machines on which a store becomes visible to all others at once do not, unless nothing keeps the loads in order.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x[2], y[2];
int seen[4];

static int load(atomic_int *from, int index) {
  return atomic_load_explicit(&from[index], memory_order_relaxed);
}

#ifdef FREE
#define AFTER(value) 0
#else
#define AFTER(value) ((value) & 2)
#endif

void *writer_x(void *unused) {
  atomic_store_explicit(&x[0], 1, memory_order_relaxed);
  return unused;
}

void *writer_y(void *unused) {
  atomic_store_explicit(&y[0], 1, memory_order_relaxed);
  return unused;
}

void *reader_x(void *unused) {
  seen[0] = load(x, 0);
  // Through memory, arithmetic and a call.
  int *there = &seen[0];
  seen[1] = load(y, AFTER(*there));
  return unused;
}

void *reader_y(void *unused) {
  seen[2] = load(y, 0);
  seen[3] = load(x, AFTER(seen[2]));
  return unused;
}

int main(void) {
  void *(*functions[])(void *) = {writer_x, writer_y, reader_x, reader_y};
  pthread_t threads[4];
  for (int i = 0; i < 4; i++)
    pthread_create(&threads[i], 0, functions[i], 0);
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], 0);
  assert(!(seen[0] == 1 && seen[1] == 0 && seen[2] == 1 && seen[3] == 0));
}
