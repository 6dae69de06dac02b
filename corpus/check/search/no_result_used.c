// selvedge: check
// expect: violation uninitialised
//
// The result of a thread whose function ends without returning anything is looked at.
#include <pthread.h>

static void *nothing(void *argument) {
    *(int *)argument = 1;
}

int main(void) {
    int done = 0;
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, nothing, &done);
    pthread_join(thread, &result);
    return result == NULL;
}
