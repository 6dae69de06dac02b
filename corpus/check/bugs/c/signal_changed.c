// selvedge: check --model sc
// expect: unknown
// selvedge: check --model tso
// expect: unknown
// selvedge: check
// expect: unknown
//
// A thread goes back to what a signal does by default, which ends the process, while another one raises it.
#include <pthread.h>
#include <signal.h>
static void *changes(void *argument) {
  signal(SIGUSR1, SIG_DFL);
  return argument;
}
int main(void) {
  pthread_t thread;
  signal(SIGUSR1, SIG_IGN);
  pthread_create(&thread, 0, changes, 0);
  raise(SIGUSR1);
  pthread_join(thread, 0);
}
