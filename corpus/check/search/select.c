// selvedge: run
// expect: exit 0
// native: same
// selvedge: check
// expect: verified
// selvedge: check --strategy dpor
// expect: verified
// selvedge: check --model rc11
// expect: verified
// selvedge: check --cflags=-DIMPATIENT
// expect: violation assertion
// selvedge: check --cflags=-DONE
// expect: violation deadlock
// A thread waits with select until both pipes have something for it. With a time limit it may come away with nothing, and if
// one writer stays silent it waits for ever.
#include <assert.h>
#include <pthread.h>
#include <sys/select.h>
#include <unistd.h>

int pipes[2][2];

void *send(void *number) {
    char byte = 'a';
    assert(write(pipes[*(int *)number][1], &byte, 1) == 1);
    return 0;
}

int main(void) {
    int numbers[2] = {0, 1};
    pthread_t senders[2];
    for (int i = 0; i < 2; i++)
        assert(pipe(pipes[i]) == 0);
#ifdef ONE
    pthread_create(&senders[0], 0, send, &numbers[0]);
#else
    for (int i = 0; i < 2; i++)
        pthread_create(&senders[i], 0, send, &numbers[i]);
#endif
    int seen[2] = {0, 0};
    while (!seen[0] || !seen[1]) {
        fd_set readable;
        FD_ZERO(&readable);
        for (int i = 0; i < 2; i++)
            if (!seen[i])
                FD_SET(pipes[i][0], &readable);
        int highest = pipes[1][0] + 1;
#ifdef IMPATIENT
        struct timeval limit = {0, 1000};
        int ready = select(highest, &readable, 0, 0, &limit);
        assert(ready > 0);
#else
        int ready = select(highest, &readable, 0, 0, 0);
#endif
        assert(ready == FD_ISSET(pipes[0][0], &readable) + FD_ISSET(pipes[1][0], &readable));
        for (int i = 0; i < 2; i++) {
            char byte = 0;
            if (FD_ISSET(pipes[i][0], &readable)) {
                assert(!seen[i] && read(pipes[i][0], &byte, 1) == 1 && byte == 'a');
                seen[i] = 1;
            }
        }
    }
    for (int i = 0; i < 2; i++)
        pthread_join(senders[i], 0);
    return 0;
}
