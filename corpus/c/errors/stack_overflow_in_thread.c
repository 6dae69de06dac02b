// selvedge: run
// expect: violation memory
// seeds: 3
//
// A list that was closed into a circle by mistake is walked by recursion, in a thread.
#include <pthread.h>
#include <stdio.h>

struct node {
    struct node *next;
    int value;
};

static struct node nodes[3] = {{&nodes[1], 1}, {&nodes[2], 2}, {&nodes[0], 3}};

static int sum(const struct node *node) {
    volatile int frame[256];
    frame[0] = node->value;
    return node->next ? frame[0] + sum(node->next) : frame[0];
}

static void *work(void *result) {
    *(int *)result = sum(&nodes[0]);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int result;
    pthread_create(&thread, NULL, work, &result);
    pthread_join(thread, NULL);
    printf("%d\n", result);
    return 0;
}
