// selvedge: check --model rc11
// expect: verified
// selvedge: check --model rc11 --cflags -DBEGIN=memory_order_relaxed
// expect: violation assertion
// selvedge: check --model rc11 --cflags -DBETWEEN=memory_order_relaxed
// expect: violation assertion
// selvedge: check --model rc11 --cflags -DWRITING=memory_order_relaxed
// expect: violation assertion
//
// Readers look at a sequence number before and after, and again if it changed or is odd.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef READERS
#define READERS 1
#endif
#ifndef WRITES
#define WRITES 2
#endif
#ifndef BEGIN
#define BEGIN memory_order_acquire
#endif
#ifndef BETWEEN
#define BETWEEN memory_order_acquire
#endif
#ifndef WRITING
#define WRITING memory_order_release
#endif

static atomic_uint sequence;
static atomic_int left, right;

static void *writer(void *unused) {
  for (int i = 1; i <= WRITES; ++i) {
    unsigned now = atomic_load_explicit(&sequence, memory_order_relaxed);
    atomic_store_explicit(&sequence, now + 1, memory_order_relaxed);
    atomic_thread_fence(WRITING);
    atomic_store_explicit(&left, i, memory_order_relaxed);
    atomic_store_explicit(&right, i, memory_order_relaxed);
    atomic_store_explicit(&sequence, now + 2, memory_order_release);
  }
  return unused;
}

static void *reader(void *unused) {
  for (;;) {
    unsigned before = atomic_load_explicit(&sequence, BEGIN);
    if (before % 2)
      continue;
    int l = atomic_load_explicit(&left, memory_order_relaxed);
    int r = atomic_load_explicit(&right, memory_order_relaxed);
    atomic_thread_fence(BETWEEN);
    if (atomic_load_explicit(&sequence, memory_order_relaxed) != before)
      continue;
    assert(l == r);
    return unused;
  }
}

int main(void) {
  pthread_t threads[READERS + 1];
  pthread_create(&threads[READERS], 0, writer, 0);
  for (int i = 0; i < READERS; ++i)
    pthread_create(&threads[i], 0, reader, 0);
  for (int i = 0; i <= READERS; ++i)
    pthread_join(threads[i], 0);
}
