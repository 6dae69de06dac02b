// Litmus tests under sequential consistency, and with store buffers that the program has itself. Every access is an atomic
// section, and whether a store leaves its buffer at once is an input. SHAPE: 0 store buffering, 1 message passing,
// 2 load buffering, 3 write to read causality, 4 independent reads. WEAK: stores may wait. NOISE: inputs that nothing uses.
#include "task.h"
int x, y, waits_x, waits_y, buffered_x, buffered_y;
int r1 = -1, r2 = -1, r3 = -1, r4 = -1, done;
_Bool noise[8];
static void unused(void) { for (int i = 0; i < NOISE; i++) ATOMIC(noise[i] = __VERIFIER_nondet_bool() ? noise[i] : !noise[i]); }
static void put(int *place, int *waits, int *buffered) {
#if WEAK
    __VERIFIER_atomic_begin();
    if (__VERIFIER_nondet_bool()) { *waits = 1; *buffered = 1; } else *place = 1;
    __VERIFIER_atomic_end();
#else
    ATOMIC(*place = 1);
#endif
}
static void flush(int *place, int *waits, int *buffered) { ATOMIC(if (*waits) { *place = *buffered; *waits = 0; }); }
static void put_x(void) { put(&x, &waits_x, &buffered_x); }
static void put_y(void) { put(&y, &waits_y, &buffered_y); }
static void end(void) {
    ATOMIC(done++);
}
static void *first(void *u) {
    unused();
#if SHAPE == 0
    put_x(); ATOMIC(r1 = y); flush(&x, &waits_x, &buffered_x);
#elif SHAPE == 1
    put_x(); put_y(); flush(&y, &waits_y, &buffered_y); flush(&x, &waits_x, &buffered_x);
#elif SHAPE == 2
    ATOMIC(r1 = y); put_x(); flush(&x, &waits_x, &buffered_x);
#else
    put_x(); flush(&x, &waits_x, &buffered_x);
#endif
    end();
    return u;
}
static void *second(void *u) {
#if SHAPE == 0
    put_y(); ATOMIC(r2 = x); flush(&y, &waits_y, &buffered_y);
#elif SHAPE == 1
    ATOMIC(r1 = y); ATOMIC(r2 = x);
#elif SHAPE == 2
    ATOMIC(r2 = x); put_y(); flush(&y, &waits_y, &buffered_y);
#elif SHAPE == 3
    ATOMIC(r1 = x); put_y(); flush(&y, &waits_y, &buffered_y);
#else
    put_y(); flush(&y, &waits_y, &buffered_y);
#endif
    end();
    return u;
}
#if SHAPE >= 3
static void *third(void *u) {
#if SHAPE == 3
    ATOMIC(r2 = y); ATOMIC(r3 = x);
#else
    ATOMIC(r1 = x); ATOMIC(r2 = y);
#endif
    end();
    return u;
}
#endif
#if SHAPE == 4
static void *fourth(void *u) { ATOMIC(r3 = y); ATOMIC(r4 = x); end(); return u; }
#endif
int main(void) {
    pthread_t t;
    int threads = 2;
    pthread_create(&t, 0, first, 0);
    pthread_create(&t, 0, second, 0);
#if SHAPE >= 3
    pthread_create(&t, 0, third, 0); threads++;
#endif
#if SHAPE == 4
    pthread_create(&t, 0, fourth, 0); threads++;
#endif
    int over;
    ATOMIC(over = done == threads);
    assume(over);
#if SHAPE == 0
    int weak = r1 == 0 && r2 == 0;
#elif SHAPE == 1
    int weak = r1 == 1 && r2 == 0;
#elif SHAPE == 2
    int weak = r1 == 1 && r2 == 1;
#elif SHAPE == 3
    int weak = r1 == 1 && r2 == 1 && r3 == 0;
#else
    int weak = r1 == 1 && r2 == 0 && r3 == 1 && r4 == 0;
#endif
    demand(!weak);
    return 0;
}
