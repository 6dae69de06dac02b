// selvedge: check
// expect: violation misuse
// selvedge: check --model sc --strategy dpor
// expect: violation misuse
//
// A thread detaches itself, and so does its creator.
#include <pthread.h>

static void *work(void *unused) {
    pthread_detach(pthread_self());
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_detach(thread);
    pthread_exit(NULL);
}
