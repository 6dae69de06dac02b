// selvedge: check
// expect: verified
// mutant: violation
//
// A variadic function takes integers and floats in turn: each kind has registers of its own.
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>

static void take(int count, ...) {
    va_list list;
    va_start(list, count);
    for (int i = 0; i < count; i++) {
        assert(va_arg(list, int) == i);
        assert(va_arg(list, double) == i + 0.5);
    }
    va_end(list);
}

static void *work(void *unused) {
    take(2, 0, 0.5, 1, 1.5);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    return 0;
}
