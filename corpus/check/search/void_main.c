// selvedge: check --cflags -Wno-main-return-type
// expect: verified
//
// Old programs have a main function that returns nothing.
#include <pthread.h>

static void *nothing(void *unused) { return unused; }

void main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
}
