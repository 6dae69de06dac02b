// selvedge: check
// expect: violation data-race
// selvedge: check --model sc --strategy icb
// expect: violation data-race
// selvedge: check --model pso
// expect: violation data-race
// The other thread gives a library function a block that counts as private.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
static char base, source[8] = "aaaaaaa";
static intptr_t distance;
static void *thread(void *unused) {
  strncpy((char *)((intptr_t)&base + distance), source, 8);
  return unused;
}
int main(void) {
  char *block = calloc(8, 1);
  char *origin = &base;
  distance = (intptr_t)block - (intptr_t)origin;
  pthread_t other;
  pthread_create(&other, 0, thread, 0);
  char first = block[0];
  pthread_join(other, 0);
  assert(first == 0);
}
