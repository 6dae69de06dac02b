/* How a thread begins and ends. */
#include "runtime.h"
#include <stdint.h>
#include <threads.h>

/* A function of its own: most threads need no memory for this. */
static __attribute__((noinline)) void destroy_values(void) {
    __selvedge_run_thread_handlers();
    void (*destructor)(void *);
    void *value;
    while (__selvedge_key_destructor(&destructor, &value))
        destructor(value);
}

_Noreturn void __selvedge_end_thread(void *result) {
    if (__selvedge_keeps_values())
        destroy_values();
    __selvedge_thread_exit(result);
}

_Noreturn void __selvedge_thread_start(void *(*function)(void *), void *argument) {
    __selvedge_end_thread(function(argument));
}

_Noreturn void __selvedge_thrd_start(int (*function)(void *), void *argument) {
    __selvedge_end_thread((void *)(intptr_t)function(argument));
}
