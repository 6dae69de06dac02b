// selvedge: run
// expect: violation misuse
// selvedge: check
// expect: violation misuse
//
// Destroying a locked mutex is undefined by POSIX.
#include <pthread.h>

int main(void) {
    pthread_mutex_t mutex;
    pthread_mutex_init(&mutex, NULL);
    pthread_mutex_lock(&mutex);
    pthread_mutex_destroy(&mutex);
    return 0;
}
