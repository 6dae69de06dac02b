// selvedge: check --model sc
// expect: violation data-race
// selvedge: check --model sc --no-races
// expect: violation assertion
// selvedge: check --model tso
// expect: violation data-race
// selvedge: check
// expect: violation data-race
//
// The text that ctime returns lies in memory that all threads share: another call may write it anew, or come before.
#include <assert.h>
#include <pthread.h>
#include <time.h>
static void *other(void *argument) {
  time_t first = 0;
  ctime(&first);
  return argument;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  time_t third = 86400 * 3;
  char day = ctime(&third)[9];
  pthread_join(thread, 0);
  assert(day != '4');
}
