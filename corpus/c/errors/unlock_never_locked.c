// selvedge: run
// expect: violation misuse line 17
//
// A normal mutex is unlocked once more than it was locked.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value;

static int store(int next) {
    pthread_mutex_lock(&mutex);
    value = next;
    if (next < 0)
        pthread_mutex_unlock(&mutex);
    int seen = value;
    pthread_mutex_unlock(&mutex); // fault: the early branch has unlocked already
    return seen;
}

int main(void) {
    printf("%d\n", store(5));
    printf("%d\n", store(-5));
    return 0;
}
