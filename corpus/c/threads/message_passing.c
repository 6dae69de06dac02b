// selvedge: run
// expect: exit 0
// seeds: 8
// stdout: received 42 and hello
// native: same
//
// Plain data published by a release store and taken after an acquire load.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static struct { int number; char text[8]; } message;
static atomic_bool ready;

static void *sender(void *unused) {
    message.number = 42;
    strcpy(message.text, "hello");
    atomic_store_explicit(&ready, 1, memory_order_release);
    return unused;
}

static void *receiver(void *unused) {
    while (!atomic_load_explicit(&ready, memory_order_acquire))
        sched_yield();
    assert(message.number == 42);
    printf("received %d and %s\n", message.number, message.text);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, receiver, NULL);
    pthread_create(&second, NULL, sender, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
