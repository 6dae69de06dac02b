// selvedge: run
// expect: exit 0
// seeds: 6
// stdout: rounds complete, early arrivals 0
// native: same
//
// A barrier of our own that reverses its sense each round, used many times by the same threads.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

enum { THREADS = 3, ROUNDS = 4 };

static atomic_int remaining = THREADS, early;
static atomic_bool sense;
static atomic_int progress[THREADS];

static void barrier(_Bool *my_sense) {
    *my_sense = !*my_sense;
    if (atomic_fetch_sub(&remaining, 1) == 1) {
        remaining = THREADS;
        sense = *my_sense;
    } else {
        while (sense != *my_sense)
            sched_yield();
    }
}

static void *work(void *argument) {
    int me = *(int *)argument;
    _Bool my_sense = 0;
    for (int round = 1; round <= ROUNDS; round++) {
        progress[me] = round;
        barrier(&my_sense);
        for (int other = 0; other < THREADS; other++)
            early += progress[other] < round;
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    int numbers[THREADS] = {0, 1, 2};
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, &numbers[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    printf("rounds complete, early arrivals %d\n", early);
    return 0;
}
