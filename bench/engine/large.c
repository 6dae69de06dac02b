/* Two threads in a process with 100 MB of live memory, of which each step touches a little. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS 1600
#define SIZE 65536

static char *blocks[BLOCKS];
static atomic_int turn;

static void *touch(void *argument)
{
    for (int i = 0;; i++) {
        blocks[i % BLOCKS][i % SIZE]++;
        atomic_fetch_add(&turn, 1);
    }
    return argument;
}

int main(void)
{
    for (int i = 0; i < BLOCKS; i++) {
        blocks[i] = malloc(SIZE);
        memset(blocks[i], i, SIZE);
    }
    pthread_t thread;
    pthread_create(&thread, 0, touch, 0);
    touch(0);
    return 0;
}
