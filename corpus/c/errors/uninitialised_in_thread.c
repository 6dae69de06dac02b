// selvedge: run
// expect: violation uninitialised line 20
// seeds: 4
//
// The argument of a thread is a block of which only the first half was filled.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct task {
    int input;
    int urgent;
};

static int result;

static void *work(void *argument) {
    struct task *task = argument;
    result = task->input * 2;
    while (task->urgent) // fault: malloc does not clear
        result++;
    free(task);
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct task *task = malloc(sizeof *task);
    task->input = 4;
    pthread_create(&thread, NULL, work, task);
    pthread_join(thread, NULL);
    printf("%d\n", result);
    return 0;
}
