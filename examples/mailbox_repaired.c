// The mailbox, repaired: a reader that was woken looks again whether there is a letter.

#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static int letters;

static void *postman(void *unused) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&lock);
    letters++;
    pthread_cond_signal(&arrived);
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void *reader(void *unused) {
  pthread_mutex_lock(&lock);
  while (letters == 0)
    pthread_cond_wait(&arrived, &lock);
  assert(letters > 0);
  letters--;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t first, second, third;
  pthread_create(&first, NULL, postman, NULL);
  pthread_create(&second, NULL, reader, NULL);
  pthread_create(&third, NULL, reader, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  pthread_join(third, NULL);
  return 0;
}
