// selvedge: run
// expect: exit 0
// seeds: 5
// stdout: the stale exchange failed 1, second pop got 2
// native: same
//
// The same interleaving as the ABA program, repaired by a counter next to the index.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>

enum { NONE = 7 };

/* The index of the top node in the low byte, the number of changes above it. */
static atomic_uint top;
static unsigned next[3] = {1, 2, NONE};
static int owned[3], failures;
static unsigned second;
static sem_t in_the_middle, go_on;

static unsigned pop(int pause) {
    unsigned seen = top;
    for (;;) {
        unsigned node = seen & 0xff, after = next[node];
        if (pause) {
            sem_post(&in_the_middle);
            sem_wait(&go_on);
            pause = 0;
        }
        if (atomic_compare_exchange_strong(&top, &seen, ((seen >> 8) + 1) << 8 | after))
            return node;
        failures++;
    }
}

static void push(unsigned node) {
    unsigned seen = top;
    do
        next[node] = seen & 0xff;
    while (!atomic_compare_exchange_strong(&top, &seen, ((seen >> 8) + 1) << 8 | node));
}

static void *slow(void *unused) {
    pop(1);
    second = pop(0);
    assert(!owned[second]);
    return unused;
}

static void *quick(void *unused) {
    sem_wait(&in_the_middle);
    unsigned a = pop(0), b = pop(0);
    owned[b] = 1;
    push(a);
    sem_post(&go_on);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    sem_init(&in_the_middle, 0, 0);
    sem_init(&go_on, 0, 0);
    pthread_create(&threads[0], NULL, slow, NULL);
    pthread_create(&threads[1], NULL, quick, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    printf("the stale exchange failed %d, second pop got %u\n", failures, second);
    return 0;
}
