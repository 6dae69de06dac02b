// selvedge: check
// expect: violation memory
// selvedge: check --model sc --strategy states
// expect: violation memory
// selvedge: check --model tso
// expect: violation memory
// The other thread frees a block that it knows only by its distance from another object.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static char base;
static intptr_t distance;
static void *thread(void *unused) {
  free((void *)((intptr_t)&base + distance));
  return unused;
}
int main(void) {
  int *block = malloc(sizeof *block);
  char *origin = &base;
  distance = (intptr_t)block - (intptr_t)origin;
  pthread_t other;
  pthread_create(&other, 0, thread, 0);
  *block = 1;
  pthread_join(other, 0);
}
