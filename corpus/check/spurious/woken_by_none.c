// selvedge: check --model rc11 --set graphs_alone=1 --keep-going
// expect: violation deadlock
//
// A thread that wakes for no reason was woken by none: what it does comes after nothing that the thread has done which acted
// last before, in an execution that the search has left. In this one that thread does not even exist yet.
#define _GNU_SOURCE
#include <pthread.h>
int word;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready;
static pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static int published; static int known;
static void *late(void *);
static void *keeps_the_lock(void *argument) {
  pthread_t other;
  pthread_mutex_lock(&mutex);
  if (ready < 1) pthread_cond_wait(&condition, &mutex);
  if (__atomic_load_n(&published, __ATOMIC_ACQUIRE)) argument = (void*)(long)known;
  pthread_create(&other, 0, late, 0);
  return 0;
}
static void *nothing(void *argument) { return 0; }
static void *late(void *argument) {
  __atomic_store_n(&published, 0, __ATOMIC_RELEASE);
  return 0;
}
int main(int argc, char **argv) {
  pthread_t one, two;
  pthread_create(&one, 0, keeps_the_lock, 0);
  pthread_create(&two, 0, nothing, 0);
  pthread_mutex_lock(&mutex);
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  pthread_detach(two);
  { void *v; pthread_join(one, &v); }
  __atomic_load_n(&word, __ATOMIC_RELAXED);
}
