// selvedge: run
// expect: exit 0
// seeds: 5
// stdout: the others go on: 3
// native: same
//
// pthread_exit in main: the program ends when the last thread ends, with code 0.
#include <pthread.h>
#include <stdio.h>

static pthread_t first;

static void *count(void *result) {
    for (int i = 0; i < 3; i++)
        ++*(int *)result;
    return result;
}

static void *report(void *unused) {
    void *result;
    pthread_join(first, &result);
    printf("the others go on: %d\n", *(int *)result);
    return unused;
}

int main(void) {
    static int counter;
    pthread_t second;
    pthread_create(&first, NULL, count, &counter);
    pthread_create(&second, NULL, report, NULL);
    pthread_exit((void *)5);
}
