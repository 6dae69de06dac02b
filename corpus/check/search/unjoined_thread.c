// selvedge: check --at-end threads
// expect: violation misuse
// selvedge: check --at-end threads --strategy dpor
// expect: violation misuse
// selvedge: check --at-end threads --model tso --strategy optimal
// expect: violation misuse
// selvedge: check --at-end threads --model rc11
// expect: violation misuse
// selvedge: check --at-end threads --cflags=-DJOINED
// expect: verified
// selvedge: check --at-end threads --cflags=-DDETACHED
// expect: verified
// selvedge: check
// expect: verified
// One of two threads is joined only if it has not begun in time: what it leaves behind is kept for ever.
#include <pthread.h>
#include <stdatomic.h>

atomic_int begun;

void *work(void *argument) {
    begun = 1;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
#if defined JOINED
    pthread_join(thread, 0);
#elif defined DETACHED
    pthread_detach(thread);
#else
    if (!begun) {
        pthread_join(thread, 0);
    }
#endif
    return 0;
}
