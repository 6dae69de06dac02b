// selvedge: run
// expect: exit 0
// seeds: 8
// stdout: done 10, each once 1
// native: same
//
// The deque of Chase and Lev with sequentially consistent atomics: the owner works at the bottom, a thief at the top.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { JOBS = 10, EMPTY = -1, ABORT = -2 };

static atomic_long top, bottom;
static atomic_int jobs[16], executed[JOBS], finished;

static void push(int job) {
    long b = bottom;
    jobs[b % 16] = job;
    bottom = b + 1;
}

static int take(void) {
    long b = bottom - 1;
    bottom = b;
    long t = top;
    if (t > b) {
        bottom = t;
        return EMPTY;
    }
    int job = jobs[b % 16];
    if (t == b) {
        if (!atomic_compare_exchange_strong(&top, &t, t + 1))
            job = EMPTY;
        bottom = b + 1;
    }
    return job;
}

static int steal(void) {
    long t = top, b = bottom;
    if (t >= b)
        return EMPTY;
    int job = jobs[t % 16];
    return atomic_compare_exchange_strong(&top, &t, t + 1) ? job : ABORT;
}

static void *thief(void *unused) {
    while (!finished) {
        int job = steal();
        if (job >= 0)
            executed[job]++;
    }
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, thief, NULL);
    for (int job = 0; job < JOBS; job++) {
        push(job);
        int mine = job % 3 == 2 ? take() : EMPTY;
        if (mine >= 0)
            executed[mine]++;
    }
    for (int mine; (mine = take()) != EMPTY;)
        executed[mine]++;
    finished = 1;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    int done = 0, once = 1;
    for (int job = 0; job < JOBS; job++) {
        done += executed[job];
        once &= executed[job] == 1;
    }
    printf("done %d, each once %d\n", done, once);
    return 0;
}
