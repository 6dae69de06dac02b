// selvedge: check
// expect: verified
// selvedge: check --cflags -DUNLOCKED
// expect: violation assertion line 57
// selvedge: check --cflags -DPLAIN
// expect: violation assertion line 60
// selvedge: check --model tso --cflags -DPLAIN
// expect: violation assertion line 60
// selvedge: check --model sc --cflags -DPLAIN
// expect: verified
// selvedge: check --model tso
// expect: verified
//
// Atomic accesses as libraries have written them before C11. A locked instruction is a fence besides; a plain one acquires
// and releases, and lets a store be overtaken by a load.
#include <assert.h>
#include <pthread.h>

static int lock, owned, counter, flag[2], saw[2];

static void take(void) {
    int taken = 1;
    do {
        __asm__ __volatile__("xchgl %0, %1" : "+r"(taken), "+m"(lock) : : "memory");
    } while (taken);
}

static void give(void) {
    __asm__ __volatile__("movl %1, %0" : "=m"(lock) : "ir"(0) : "memory");
}

static void *work(void *own) {
    int me = own != 0;
    take();
    owned++;
    give();
#ifdef UNLOCKED
    __asm__ __volatile__("incl %0" : "+m"(counter) : : "memory", "cc");
#else
    __asm__ __volatile__("lock; incl %0" : "+m"(counter) : : "memory", "cc");
#endif
#ifdef PLAIN
    __asm__ __volatile__("movl %1, %0" : "=m"(flag[me]) : "ir"(1) : "memory");
#else
    int one = 1;
    __asm__ __volatile__("xchgl %0, %1" : "+r"(one), "+m"(flag[me]) : : "memory");
#endif
    __asm__ __volatile__("movl %1, %0" : "=r"(saw[me]) : "m"(flag[!me]) : "memory");
    return 0;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, work, 0), pthread_create(&other, 0, work, &one);
    pthread_join(one, 0), pthread_join(other, 0);
    assert(owned == 2);
    assert(counter == 2);
    // Each has raised its flag before it has looked at the other's.
    int both_missed = !saw[0] && !saw[1];
    assert(!both_missed);
    return 0;
}
