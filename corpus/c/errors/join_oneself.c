// selvedge: run
// expect: violation misuse
// selvedge: check
// expect: violation misuse
// selvedge: check --model sc --strategy optimal
// expect: violation misuse
//
// POSIX leaves it undefined that a thread joins itself; glibc refuses, other libraries wait for ever.
#include <pthread.h>

static void *work(void *unused) {
    pthread_join(pthread_self(), NULL);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
