// selvedge: check
// expect: violation assertion
// selvedge: check --model sc --strategy optimal
// expect: violation assertion
// selvedge: check --model tso --strategy states
// expect: violation assertion
// The mutex lies in a structure that the other thread knows only by its distance from another object.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
struct account {
  pthread_mutex_t mutex;
  int balance;
};
static char base;
static intptr_t distance;
static void *deposit(void *unused) {
  struct account *account = (struct account *)((intptr_t)&base + distance);
  pthread_mutex_lock(&account->mutex);
  int balance = account->balance;
  pthread_mutex_unlock(&account->mutex);
  pthread_mutex_lock(&account->mutex);
  account->balance = balance + 1;
  pthread_mutex_unlock(&account->mutex);
  return unused;
}
int main(void) {
  struct account *account = malloc(sizeof *account);
  pthread_mutex_init(&account->mutex, 0);
  account->balance = 0;
  char *origin = &base;
  distance = (intptr_t)account - (intptr_t)origin;
  pthread_t other;
  pthread_create(&other, 0, deposit, 0);
  deposit(0);
  pthread_join(other, 0);
  assert(account->balance == 2);
}
