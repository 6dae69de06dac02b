// selvedge: run --leaks
// expect: violation leak
// seeds: 3
//
// Each thread forgets a block on its way out by the early return.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *work(void *argument) {
    int *scratch = malloc(10 * sizeof *scratch);
    scratch[0] = *(int *)argument;
    if (scratch[0] < 0)
        return argument;
    free(scratch);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int inputs[2] = {1, -1};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, &inputs[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("done\n");
    return 0;
}
