// selvedge: run
// expect-some: violation memory
// seeds: 40
//
// One thread frees what another still reads, if it is quick enough.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int *shared;

static void *reader(void *sum) {
    for (int i = 0; i < 4; i++)
        *(int *)sum += shared[i];
    return NULL;
}

static void *owner(void *unused) {
    free(shared);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    int sum = 0;
    shared = calloc(4, sizeof *shared);
    pthread_create(&threads[0], NULL, reader, &sum);
    pthread_create(&threads[1], NULL, owner, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    printf("sum %d\n", sum);
    return 0;
}
