// selvedge: check --model sc
// expect: verified
// The other thread may have to wait for a mutex that counts as private.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
static char base;
static _Atomic intptr_t distance;
static void *thread(void *unused) {
  intptr_t far = atomic_load(&distance);
  if (far != 0) {
    pthread_mutex_t *mutex = (pthread_mutex_t *)((intptr_t)&base + far);
    pthread_mutex_lock(mutex);
    pthread_mutex_unlock(mutex);
  }
  return unused;
}
int main(void) {
  pthread_mutex_t *mutex = malloc(sizeof *mutex);
  pthread_mutex_init(mutex, 0);
  pthread_t other;
  pthread_create(&other, 0, thread, 0);
  pthread_mutex_lock(mutex);
  char *origin = &base;
  atomic_store(&distance, (intptr_t)mutex - (intptr_t)origin);
  pthread_mutex_unlock(mutex);
  pthread_join(other, 0);
}
