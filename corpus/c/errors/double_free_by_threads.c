// selvedge: run
// expect: violation memory line 11
// seeds: 5
//
// Two threads free the same block: whoever comes second is wrong.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *release(void *block) {
    free(block); // fault: the second time
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int *block = malloc(sizeof *block);
    *block = 5;
    printf("%d\n", *block);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, release, block);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
