// selvedge: run
// expect: violation deadlock
// seeds: 4
//
// Main joins the first thread, which joins the second, which joins main.
#include <pthread.h>
#include <stdio.h>

static pthread_t threads[3];

static void *join_next(void *argument) {
    int next = *(int *)argument;
    pthread_join(threads[next], NULL);
    return NULL;
}

int main(void) {
    int numbers[3] = {0, 1, 2};
    threads[0] = pthread_self();
    pthread_create(&threads[2], NULL, join_next, &numbers[0]);
    pthread_create(&threads[1], NULL, join_next, &numbers[2]);
    printf("waiting in a circle\n");
    pthread_join(threads[1], NULL);
    return 0;
}
