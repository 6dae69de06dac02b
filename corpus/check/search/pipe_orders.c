// selvedge: check
// expect: verified
// selvedge: check --model sc --strategy dpor
// expect: verified
// selvedge: check --model sc --strategy optimal
// expect: verified
// selvedge: check --model tso
// expect: verified
// selvedge: check --model tso --strategy optimal
// expect: verified
// selvedge: check --model pso
// expect: verified
// selvedge: check --model pso --strategy states
// expect: verified
// selvedge: check --model pso --strategy dpor
// expect: verified
// selvedge: check --model sc --strategy optimal --cflags -DEND
// expect: verified
// selvedge: check --model pso --strategy auto --cflags -DEND
// expect: verified
// selvedge: check --model tso --strategy optimal --cflags -DLATE
// expect: violation data-race
// selvedge: check --model pso --strategy auto --cflags -DLATE
// expect: violation data-race

// A thread that reads from an empty pipe cannot come before the one that writes to it, and finds in memory what that one
// stored before: the kernel's lock of the pipe is a barrier. It is the same with the end of the pipe.

#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];
static int value;

static void *sender(void *unused) {
    char byte = 1;
    value = 3;
#ifdef END
    close(ends[1]);
#else
    write(ends[1], &byte, 1);
#endif
#ifdef LATE
    value = 3;
#endif
    return 0;
}

static void *receiver(void *unused) {
    char byte = 0;
    if (read(ends[0], &byte, 1) >= 0)
        assert(value == 3);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    assert(pipe(ends) == 0);
    pthread_create(&threads[0], 0, receiver, 0);
    pthread_create(&threads[1], 0, sender, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
}
