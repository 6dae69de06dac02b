/* quick_exit: its own handlers, no flushing, no destructors. */
#include "runtime.h"
#include <stdatomic.h>
#include <stdlib.h>

struct handler {
    struct handler *next;
    void (*function)(void);
};

static _Atomic(struct handler *) handlers;

int at_quick_exit(void (*function)(void)) {
    struct handler *handler = __selvedge_allocate(sizeof *handler);
    handler->function = function;
    struct handler *head = atomic_load_explicit(&handlers, memory_order_acquire);
    do
        handler->next = head;
    while (!atomic_compare_exchange_strong(&handlers, &head, handler));
    return 0;
}

_Noreturn void quick_exit(int status) {
    struct handler *head = atomic_load_explicit(&handlers, memory_order_acquire);
    while (head) {
        if (atomic_compare_exchange_strong(&handlers, &head, head->next)) {
            head->function();
            head = atomic_load_explicit(&handlers, memory_order_acquire);
        }
    }
    _Exit(status);
}
