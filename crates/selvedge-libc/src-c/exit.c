/* The end of the process: handlers in reverse order of registration, destructors, flushing.
 *
 * Threads may register handlers at the same time, so the list is lock-free: nodes are pushed and taken by
 * compare-exchange. Nodes are never reused, hence a head that has not changed still means the same list. */
#include "runtime.h"
#include <stdatomic.h>
#include <stdlib.h>

struct handler {
    struct handler *next;
    enum { PLAIN, WITH_ARGUMENT, WITH_STATUS } kind;
    _Atomic(int) done;
    void (*plain)(void);
    void (*with_argument)(void *);
    void (*with_status)(int, void *);
    void *argument;
    void *dso;
};

static _Atomic(struct handler *) handlers;

/* Set by start.c; absent when a program brings a start of its own. */
extern void (**__selvedge_destructors)(void) __attribute__((weak));

static struct handler *new_handler(int kind, void *argument, void *dso) {
    struct handler *handler = __selvedge_allocate(sizeof *handler);
    handler->kind = kind;
    atomic_init(&handler->done, 0);
    handler->plain = NULL;
    handler->with_argument = NULL;
    handler->with_status = NULL;
    handler->argument = argument;
    handler->dso = dso;
    return handler;
}

static int push(struct handler *handler) {
    struct handler *head = atomic_load_explicit(&handlers, memory_order_acquire);
    do
        handler->next = head;
    while (!atomic_compare_exchange_strong(&handlers, &head, handler));
    return 0;
}

int atexit(void (*function)(void)) {
    struct handler *handler = new_handler(PLAIN, NULL, NULL);
    handler->plain = function;
    return push(handler);
}

int __cxa_atexit(void (*function)(void *), void *argument, void *dso) {
    struct handler *handler = new_handler(WITH_ARGUMENT, argument, dso);
    handler->with_argument = function;
    return push(handler);
}

int on_exit(void (*function)(int, void *), void *argument) {
    struct handler *handler = new_handler(WITH_STATUS, argument, NULL);
    handler->with_status = function;
    return push(handler);
}

static void call(struct handler *handler, int status) {
    if (atomic_exchange(&handler->done, 1))
        return;
    switch (handler->kind) {
    case PLAIN:
        handler->plain();
        break;
    case WITH_ARGUMENT:
        handler->with_argument(handler->argument);
        break;
    case WITH_STATUS:
        handler->with_status(status, handler->argument);
        break;
    }
}

/* Handlers may register more, which then come first. */
static void run_handlers(int status) {
    struct handler *head = atomic_load_explicit(&handlers, memory_order_acquire);
    while (head) {
        if (atomic_compare_exchange_strong(&handlers, &head, head->next)) {
            call(head, status);
            head = atomic_load_explicit(&handlers, memory_order_acquire);
        }
    }
}

void __cxa_finalize(void *dso) {
    if (!dso) {
        run_handlers(0);
        return;
    }
    struct handler *handler = atomic_load_explicit(&handlers, memory_order_acquire);
    for (; handler; handler = handler->next)
        if (handler->dso == dso)
            call(handler, 0);
}

_Noreturn void exit(int status) {
    if (__selvedge_keeps_values())
        __selvedge_run_thread_handlers();
    run_handlers(status);
    if (&__selvedge_destructors && __selvedge_destructors)
        for (void (**destructor)(void) = __selvedge_destructors; *destructor; destructor++)
            (*destructor)();
    __selvedge_exit(status);
}
