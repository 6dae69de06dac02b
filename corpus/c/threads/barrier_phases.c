// selvedge: run
// expect: exit 0
// seeds: 6
// stdout: phase 0: 3
// stdout: phase 1: 6
// stdout: phase 2: 9
// stdout: serial threads 3
// native: same
//
// Nobody passes a barrier before all have come, and each round names exactly one serial thread.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { THREADS = 3, PHASES = 3 };

static pthread_barrier_t arrive, leave;
static atomic_int arrived, serial;
static int observed[PHASES];

static void *work(void *unused) {
    for (int phase = 0; phase < PHASES; phase++) {
        atomic_fetch_add(&arrived, 1);
        int result = pthread_barrier_wait(&arrive);
        assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
        if (result == PTHREAD_BARRIER_SERIAL_THREAD) {
            serial++;
            observed[phase] = arrived;
        }
        assert(arrived == (phase + 1) * THREADS);
        pthread_barrier_wait(&leave);
    }
    return unused;
}

int main(void) {
    pthread_t threads[THREADS];
    pthread_barrier_init(&arrive, NULL, THREADS);
    pthread_barrier_init(&leave, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int phase = 0; phase < PHASES; phase++)
        printf("phase %d: %d\n", phase, observed[phase]);
    printf("serial threads %d\n", serial);
    pthread_barrier_destroy(&arrive);
    pthread_barrier_destroy(&leave);
    return 0;
}
