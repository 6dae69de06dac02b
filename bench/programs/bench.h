// What the C programs share: numbered threads, and executions that do not count.
#pragma once
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

// Executions in which the condition does not hold are dropped. Other checkers know it by the same name, and GenMC
// declares it by itself.
#ifdef GENMC
#include <stdbool.h>
#include <genmc.h>
#else
void __VERIFIER_assume(int condition);
#endif

static inline pthread_t start(void *(*body)(void *), int number) {
    pthread_t thread;
    pthread_create(&thread, NULL, body, (void *)(intptr_t)number);
    return thread;
}

static inline int number_of(void *argument) {
    return (int)(intptr_t)argument;
}

static inline void join(pthread_t thread) {
    pthread_join(thread, NULL);
}
