// As many threads as the first argument says, for ever at a shared counter and a cell of their own.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int counter;
static int cells[512];

static void *work(void *argument) {
    int *cell = argument;
    for (int i = 0;; i++) {
        *cell = i;
        atomic_fetch_add(&counter, 1);
    }
}

int main(int argc, char **argv) {
    int count = argc > 1 ? atoi(argv[1]) : 2;
    pthread_t threads[512];
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], 0, work, &cells[i]);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], 0);
    return 0;
}
