// selvedge: check
// expect: verified
// selvedge: check --model sc --strategy states
// expect: verified
// selvedge: check --model tso --strategy optimal
// expect: verified
// Addresses that are compared, hashed and printed make nothing go wrong: each thread has its own block.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void *thread(void *unused) {
  struct __attribute__((packed)) {
    char kind;
    int *block;
  } holder;
  holder.block = malloc(sizeof *holder.block);
  *holder.block = 0;
  uintptr_t hash = (uintptr_t)holder.block * 0x9e3779b97f4a7c15u >> 60;
  char text[32];
  snprintf(text, sizeof text, "%p", (void *)holder.block);
  for (int i = 0; i < 3; i++)
    ++*holder.block;
  assert(*holder.block == 3 && hash < 16 && strlen(text) > 2);
  free(holder.block);
  return unused;
}
int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, thread, 0);
  pthread_create(&second, 0, thread, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
}
