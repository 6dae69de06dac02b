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

static void *write_one(void *unused) {
    last = 1;
    return unused;
}

int main(void) {
    pthread_t writer;
    pthread_create(&writer, NULL, write_one, NULL);
    last = 2;
    pthread_join(writer, NULL);
#ifdef ODD
    __asm__ volatile("cpuid" ::: "eax", "ebx", "ecx", "edx");
#endif
    return last == 0;
}
