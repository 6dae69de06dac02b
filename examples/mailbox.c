// A mailbox for one letter. The postman puts the letter in and raises a flag; the reader looks at the flag.
//
// The first attempt: the letter is there when the flag is up, or so it seems. (docs/book/tutorial-c.md repairs it.)

#include <assert.h>
#include <pthread.h>

static int letter;
static int full;

static void *postman(void *unused) {
  letter = 42;
  full = 1;
  return unused;
}

static void *reader(void *unused) {
  if (full)
    assert(letter == 42);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, postman, NULL);
  pthread_create(&second, NULL, reader, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
