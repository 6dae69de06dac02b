// selvedge: check --model rc11 --strategy optimal --no-spurious
// expect: verified
// selvedge: check --model rc11 --strategy optimal --cflags -DUNLOCK=memory_order_relaxed
// expect: violation data-race
// selvedge: check --model rc11 --strategy optimal --cflags -DLOCK=memory_order_relaxed
// expect: violation data-race
// selvedge: check --model rc11 --strategy optimal --cflags -DQUIET
// expect: violation deadlock
//
// A lock of one word: 0 free, 1 taken, 2 taken and somebody may wait. The system calls order nothing.
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
#ifndef LOCK
#define LOCK memory_order_acquire
#endif
#ifndef UNLOCK
#define UNLOCK memory_order_release
#endif

static atomic_int word;
static int count;

static void lock(void) {
  int free = 0;
  if (atomic_compare_exchange_strong_explicit(&word, &free, 1, LOCK, memory_order_relaxed))
    return;
  while (atomic_exchange_explicit(&word, 2, LOCK) != 0)
    syscall(SYS_futex, &word, FUTEX_WAIT, 2, 0, 0, 0);
}

static void unlock(void) {
#ifdef QUIET
  atomic_exchange_explicit(&word, 0, UNLOCK);
#else
  if (atomic_exchange_explicit(&word, 0, UNLOCK) == 2)
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, 0, 0, 0);
#endif
}

static void *worker(void *unused) {
  lock();
  count++;
  unlock();
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, worker, 0);
  worker(0);
  pthread_join(other, 0);
  assert(count == 2);
}
