// A driver: callbacks of a device run while it is registered, and an interrupt comes at any time. EVENTS: what the user asks for,
// so many times, each an input. CASE: 0 the state machine of open and close, 1 a reference count, 2 the interrupt's data is
// freed when it is unregistered, 3 a work item. BAD: a lock or a wait is missing.
#include "task.h"
enum { IDLE, OPEN };
struct data { int ready; int buffer; };
int state, users, registered = 1, pending, result;
struct data *data;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void enter(void) { if (!BAD) pthread_mutex_lock(&mutex); }
static void leave(void) { if (!BAD) pthread_mutex_unlock(&mutex); }
static void *user(void *u) {
    for (int i = 0; i < EVENTS; i++) {
        enter();
#if CASE == 0
        switch (between(0, 2)) {
        case 0: if (state == IDLE) { state = OPEN; users++; } break;
        case 1: if (state == OPEN) { users--; state = IDLE; } break;
        default: break;
        }
        demand(BAD || users == (state == OPEN));
        demand(users <= 1);
#elif CASE == 1
        if (__VERIFIER_nondet_bool()) { int seen = users; users = seen + 1; seen = users; users = seen - 1; }
#elif CASE == 2
        if (registered) { data->buffer++; demand(data->ready); }
#else
        if (__VERIFIER_nondet_bool()) pending = 1;
#endif
        leave();
    }
    return u;
}
static void *interrupt(void *u) {
    enter();
#if CASE == 2
    if (registered) data->buffer = 0;
#elif CASE == 3
    if (pending) { result++; pending = 0; }
#endif
    leave();
    return u;
}
int main(void) {
    pthread_t a, b, c;
    data = malloc(sizeof *data);
    assume(data != 0);
    data->ready = 1;
    data->buffer = 0;
    pthread_create(&a, 0, user, 0);
    pthread_create(&b, 0, user, 0);
    pthread_create(&c, 0, interrupt, 0);
#if CASE == 2
    enter();
    registered = 0;
    free(data);
    data = 0;
    leave();
#endif
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
#if CASE == 1
    demand(users == 0);
#elif CASE == 3
    demand(result <= (BAD ? 0 : 1));
#endif
#if CASE != 2
    free(data);
#endif
    return 0;
}
