// selvedge: check --model rc11 --strategy optimal
// expect: verified
// selvedge: check --model rc11 --strategy optimal --cflags -DWRITE=rdlock
// expect: violation data-race
// selvedge: check --model rc11 --strategy optimal --cflags -DUPGRADE
// expect: violation deadlock
//
// Readers and a writer. A reader that wants to write as well waits for itself.
#include <assert.h>
#include <pthread.h>
#ifndef WRITE
#define WRITE wrlock
#endif
#define CALL_(name) pthread_rwlock_##name
#define CALL(name) CALL_(name)

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int first, second;

static void *writer(void *unused) {
  CALL(WRITE)(&lock);
  first++;
  second++;
  pthread_rwlock_unlock(&lock);
  return unused;
}

static void *reader(void *unused) {
  pthread_rwlock_rdlock(&lock);
#ifdef UPGRADE
  pthread_rwlock_wrlock(&lock);
#endif
  assert(first == second);
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t others[2];
  pthread_create(&others[0], 0, writer, 0);
  pthread_create(&others[1], 0, reader, 0);
  reader(0);
  for (int i = 0; i < 2; i++)
    pthread_join(others[i], 0);
}
