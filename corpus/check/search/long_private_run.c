// selvedge: check --max-time 30
// expect: violation data-race
// selvedge: check --model sc --max-time 30
// expect: violation data-race
// One thread runs for ever by itself, without coming round; the others race within their first steps.
#include <pthread.h>
#include <stdatomic.h>

atomic_int own;
int x;

static void *endless(void *unused) {
  own = 1;
  unsigned long sum = 0;
  for (unsigned long i = 0; i < 1ul << 62; i++)
    sum += i;
  return (void *)sum;
}

static void *plain(void *unused) {
  x++;
  return 0;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, endless, 0);
  pthread_create(&b, 0, plain, 0);
  pthread_create(&c, 0, plain, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  return 0;
}
