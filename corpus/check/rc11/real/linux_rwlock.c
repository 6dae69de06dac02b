// selvedge: check --model rc11
// expect: verified
// selvedge: check --model rc11 --cflags -DREAD_DONE=memory_order_relaxed
// expect: violation data-race
// selvedge: check --model rc11 --cflags -DWRITE_DONE=memory_order_relaxed
// expect: violation data-race
//
// The counting read-write lock of older Linux kernels, by its functions that try: a writer takes the whole bias.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define BIAS 0x00100000
#ifndef THREADS
#define THREADS 3
#endif
#ifndef READ_DONE
#define READ_DONE memory_order_release
#endif
#ifndef WRITE_DONE
#define WRITE_DONE memory_order_release
#endif

static atomic_int lock = BIAS;
static int shared;

static int read_try(void) {
  if (atomic_fetch_sub_explicit(&lock, 1, memory_order_acquire) > 0)
    return 1;
  atomic_fetch_add_explicit(&lock, 1, memory_order_relaxed);
  return 0;
}

static int write_try(void) {
  if (atomic_fetch_sub_explicit(&lock, BIAS, memory_order_acquire) == BIAS)
    return 1;
  atomic_fetch_add_explicit(&lock, BIAS, memory_order_relaxed);
  return 0;
}

static void *worker(void *reads) {
  if (reads) {
    if (read_try()) {
      int once = shared;
      assert(once == shared);
      atomic_fetch_add_explicit(&lock, 1, READ_DONE);
    }
  } else if (write_try()) {
    ++shared;
    atomic_fetch_add_explicit(&lock, BIAS, WRITE_DONE);
  }
  return 0;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i)
    pthread_create(&threads[i], 0, worker, i % 2 ? &lock : 0);
  for (int i = 0; i < THREADS; ++i)
    pthread_join(threads[i], 0);
  assert(atomic_load_explicit(&lock, memory_order_relaxed) == BIAS);
}
