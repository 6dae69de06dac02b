// Two people meet in a corridor, and each steps aside for the other: they may do so for ever.

#include <pthread.h>
#include <stdatomic.h>

static atomic_int here, there;

static void pass(atomic_int *mine, atomic_int *theirs) {
  for (;;) {
    *mine = 1;
    if (*theirs == 0)
      break;
    *mine = 0;
  }
  *mine = 0;
}

static void *walk(void *unused) {
  pass(&here, &there);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, walk, NULL);
  pass(&there, &here);
  pthread_join(other, NULL);
  return 0;
}
