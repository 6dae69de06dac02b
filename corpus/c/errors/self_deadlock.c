// selvedge: run
// expect: violation deadlock
//
// A function that locks calls another that takes the same, not recursive, mutex.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int entries;

static int count(void) {
    pthread_mutex_lock(&mutex);
    int result = entries;
    pthread_mutex_unlock(&mutex);
    return result;
}

static void add(void) {
    pthread_mutex_lock(&mutex);
    entries++;
    printf("now %d\n", count());
    pthread_mutex_unlock(&mutex);
}

int main(void) {
    printf("before %d\n", count());
    add();
    return 0;
}
