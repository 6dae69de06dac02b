// Two philosophers share two forks, and each takes the left one first.

#include <pthread.h>

static pthread_mutex_t fork_a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t fork_b = PTHREAD_MUTEX_INITIALIZER;

static void dine(pthread_mutex_t *left, pthread_mutex_t *right) {
  pthread_mutex_lock(left);
  pthread_mutex_lock(right);
  pthread_mutex_unlock(right);
  pthread_mutex_unlock(left);
}

static void *first(void *unused) {
  dine(&fork_a, &fork_b);
  return unused;
}

static void *second(void *unused) {
  dine(&fork_b, &fork_a);
  return unused;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, NULL, first, NULL);
  pthread_create(&other, NULL, second, NULL);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  return 0;
}
