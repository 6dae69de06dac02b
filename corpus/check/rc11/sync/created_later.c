// selvedge: check --model rc11 --strategy optimal
// expect: verified
// selvedge: check --model rc11 --strategy optimal --cflags -DBUG
// expect: violation assertion
//
// A thread that is created between what another one reads and the store that it reads from exists all the same.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stored, begun;

static void *child(void *unused) {
  atomic_store(&begun, 1);
  return unused;
}

static void *parent(void *unused) {
  pthread_t thread;
  // Whoever has to wait comes after those who do not.
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_trylock(&mutex);
  pthread_create(&thread, 0, child, 0);
  atomic_store(&stored, 1);
  pthread_join(thread, 0);
  return unused;
}

static void *reader(void *unused) {
  int before = atomic_load(&stored);
#ifdef BUG
  assert(!before || !atomic_load(&begun));
#endif
  return unused;
}

int main(void) {
  pthread_t others[2];
  pthread_create(&others[0], 0, parent, 0);
  pthread_create(&others[1], 0, reader, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(others[i], 0);
}
