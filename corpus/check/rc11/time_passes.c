// selvedge: check --model rc11
// expect: verified
// selvedge: check --model rc11 --cflags -DEARLIER
// expect: violation assertion
//
// Who sees what another thread did after a sleep looks at the clock later than that, even without synchronisation. A thread
// that sees nothing of it may look at any time.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int started, done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int slept;

static long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void *sleeper(void *unused) {
  if (atomic_load(&started)) {
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, 0);
    atomic_store_explicit(&done, 1, memory_order_relaxed);
    pthread_mutex_lock(&lock);
    slept = 1;
    pthread_mutex_unlock(&lock);
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, 0);
  }
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, sleeper, 0);
  long start = now();
  atomic_store(&started, 1);
#ifdef EARLIER
  atomic_load_explicit(&done, memory_order_relaxed);
  assert(now() - start >= 50);
#else
  if (atomic_load_explicit(&done, memory_order_relaxed)) assert(now() - start >= 50);
  pthread_mutex_lock(&lock);
  int seen = slept;
  pthread_mutex_unlock(&lock);
  if (seen) assert(now() - start >= 50);
  int has_slept = 0;
  has_slept = atomic_load_explicit(&done, memory_order_relaxed);
  pthread_join(other, 0);
  if (has_slept) assert(now() - start >= 100);
#endif
}
