/* Destructors of thread_local objects, as C++ and Rust register them. */
#include "runtime.h"

struct handler {
    struct handler *next;
    void (*function)(void *);
    void *object;
};

static _Thread_local struct handler *handlers;

int __cxa_thread_atexit_impl(void (*function)(void *), void *object, void *dso) {
    struct handler *handler = __selvedge_allocate(sizeof *handler);
    handler->function = function;
    handler->object = object;
    handler->next = handlers;
    handlers = handler;
    return 0;
}

void __selvedge_run_thread_handlers(void) {
    struct handler *handler;
    while ((handler = handlers)) {
        void (*function)(void *) = handler->function;
        void *object = handler->object;
        handlers = handler->next;
        __selvedge_release(handler);
        function(object);
    }
}
