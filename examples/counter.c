// Two threads count visitors, and one of them forgot the lock.

#include <pthread.h>

static int visitors;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *front_door(void *unused) {
  pthread_mutex_lock(&lock);
  visitors++;
  pthread_mutex_unlock(&lock);
  return unused;
}

static void *back_door(void *unused) {
  visitors++;
  return unused;
}

int main(void) {
  pthread_t front, back;
  pthread_create(&front, NULL, front_door, NULL);
  pthread_create(&back, NULL, back_door, NULL);
  pthread_join(front, NULL);
  pthread_join(back, NULL);
  return 0;
}
