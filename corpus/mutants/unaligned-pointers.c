// selvedge: check --model sc
// expect: violation assertion
// mutant: verified
// The pointer travels in a packed structure.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct __attribute__((packed)) message {
  char kind;
  atomic_int *counter;
};
static struct message *published;
static void increment(atomic_int *counter) {
  int value = atomic_load(counter);
  atomic_store(counter, value + 1);
}
static void *thread(void *unused) {
  increment(published->counter);
  return unused;
}
int main(void) {
  atomic_int *counter = malloc(sizeof *counter);
  atomic_init(counter, 0);
  struct message *message = malloc(sizeof *message);
  message->counter = counter;
  published = message;
  pthread_t other;
  pthread_create(&other, 0, thread, 0);
  increment(counter);
  pthread_join(other, 0);
  assert(atomic_load(counter) == 2);
}
