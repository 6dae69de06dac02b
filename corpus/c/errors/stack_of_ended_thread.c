// selvedge: run
// expect: violation memory line 21
// seeds: 4
//
// A thread returns the address of its own local variable; it has ended when main reads it.
#include <pthread.h>
#include <stdio.h>

static void *work(void *argument) {
    int result = *(int *)argument * 2;
    int *volatile address = &result;
    return address;
}

int main(void) {
    pthread_t thread;
    int input = 21;
    void *output;
    pthread_create(&thread, NULL, work, &input);
    pthread_join(thread, &output);
    printf("%d\n", *(int *)output); // fault: the stack of the thread is gone
    return 0;
}
