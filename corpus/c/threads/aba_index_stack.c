// selvedge: run
// expect: violation assertion line 44
// seeds: 5
//
// The ABA problem made certain: while one thread is in the middle of a pop, the other pops two nodes and pushes
// the first of them back, so that the compare-exchange succeeds with a stale successor.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>

enum { NONE = -1 };

static int next[3] = {1, 2, NONE};
static int owned[3];
static atomic_int top = 0;
static sem_t in_the_middle, go_on;

static int pop(int pause) {
    int node = top;
    for (;;) {
        int after = next[node];
        if (pause) {
            sem_post(&in_the_middle);
            sem_wait(&go_on);
            pause = 0;
        }
        if (atomic_compare_exchange_strong(&top, &node, after))
            return node;
    }
}

static void push(int node) {
    int before = top;
    do
        next[node] = before;
    while (!atomic_compare_exchange_strong(&top, &before, node));
}

static void *slow(void *unused) {
    pop(1);
    int second = pop(0);
    assert(!owned[second]); // fault: node 1 belongs to the other thread
    return unused;
}

static void *quick(void *unused) {
    sem_wait(&in_the_middle);
    int a = pop(0), b = pop(0);
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
    printf("never reached\n");
    return 0;
}
