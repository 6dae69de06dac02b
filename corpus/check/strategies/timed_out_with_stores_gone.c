// selvedge: check --model pso --strategy optimal
// expect: verified
// selvedge: check --model pso --strategy dpor
// expect: verified
// selvedge: check --model pso --strategy auto
// expect: verified

// The attempt of `main` begins when its buffer is empty, and that may be because `mine` is gone, in the step that posts: then it
// cannot overtake that step, although it never waits for the semaphore.
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

struct box {
    int a;
};
static sem_t posted, finished;
static struct box *known;
static int done;

static void *lend(void *argument) {
    struct box mine;
    mine.a = 1;
    __atomic_store_n(&known, &mine, __ATOMIC_RELEASE);
    if (!__atomic_load_n(&done, __ATOMIC_RELAXED)) sem_wait(&finished);
    sem_post(&posted);
    return argument;
}

int main(void) {
    pthread_t other;
    sem_init(&posted, 0, 0);
    sem_init(&finished, 0, 0);
    pthread_create(&other, NULL, lend, NULL);
    struct box *seen = __atomic_load_n(&known, __ATOMIC_ACQUIRE);
    if (seen) {
        __atomic_store_n(&seen->a, 3, __ATOMIC_RELAXED);
        __atomic_store_n(&done, 1, __ATOMIC_RELAXED);
    }
    struct timespec time = {1, 0};
    (void)sem_timedwait(&posted, &time);
    sem_post(&finished);
    return 0;
}
