// selvedge: check --max-executions 1
// expect: unknown the limit of executions was reached
// selvedge: check --cflags -DODD
// expect: unknown unsupported
// selvedge: check
// expect: verified
//
// What keeps a check from an answer: a limit that is too small, or something that cannot be executed.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int last;

static void compute(int with) {
    for (int round = 0; round < 4; round++)
        last = last * 3 + with;
}

static void *other(void *unused) {
    compute(1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    compute(2);
    pthread_join(thread, NULL);
#ifdef ODD
    __asm__ volatile("hlt");
#endif
    return last == 0;
}
