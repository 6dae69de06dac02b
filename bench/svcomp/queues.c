// Producers and consumers. CASE: 0 a bounded buffer with condition variables, 1 a ring with one of each, 2 a stack under a lock,
// 3 readers and a writer, 4 a barrier of the program's own. ITEMS: so many, of which each is an input. BAD: a wait or a lock is
// missing, or a bound is off.
#include "task.h"
#define ROOM 2
int buffer[ROOM + 1], used, in, out, top, readers, writing, arrived, phase[2], sum_in, sum_out;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static void enter(void) { if (!(BAD && CASE == 2)) pthread_mutex_lock(&mutex); }
static void leave(void) { if (!(BAD && CASE == 2)) pthread_mutex_unlock(&mutex); }
static int item(void) { return between(0, 3); }
static void *first(void *u) {
    for (int i = 0; i < ITEMS; i++) {
#if CASE == 0
        int value = item();
        enter();
        while (used >= ROOM + BAD) pthread_cond_wait(&changed, &mutex);
        demand(used < ROOM);
        buffer[used++] = value;
        sum_in += value;
        pthread_cond_broadcast(&changed);
        leave();
#elif CASE == 1
        int value = item(), taken;
        enter();
        taken = in - out;
        leave();
        assume(taken < ROOM + BAD);
        enter();
        buffer[in % ROOM] = value;
        in++;
        demand(in - out <= ROOM);
        sum_in += value;
        leave();
#elif CASE == 2
        enter();
        int seen = top;
        buffer[0] = item();
        top = seen + 1;
        leave();
#elif CASE == 3
        enter();
        int free = BAD ? 1 : readers == 0;
        if (free) writing = 1;
        leave();
        if (free) { enter(); demand(readers == 0); writing = 0; leave(); }
#else
        enter();
        arrived++;
        int all = arrived;
        leave();
        phase[0]++;
        if (!BAD) { enter(); all = arrived; leave(); assume(all == 2); }
        demand(all == 2);
#endif
    }
    return u;
}
static void *second(void *u) {
    for (int i = 0; i < ITEMS; i++) {
#if CASE == 0
        enter();
        while (used == 0) pthread_cond_wait(&changed, &mutex);
        sum_out += buffer[--used];
        pthread_cond_broadcast(&changed);
        leave();
#elif CASE == 1
        enter();
        int there = in - out;
        leave();
        assume(there > 0);
        enter();
        sum_out += buffer[out % ROOM];
        out++;
        leave();
#elif CASE == 2
        enter();
        int seen = top;
        top = seen + 1;
        leave();
#elif CASE == 3
        enter();
        int free = !writing;
        if (free) readers++;
        leave();
        if (free) { enter(); readers--; leave(); }
#else
        enter();
        arrived++;
        leave();
        phase[1]++;
        break;
#endif
    }
    return u;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
#if CASE == 0 || CASE == 1
    demand(sum_in == sum_out);
#elif CASE == 2
    demand(top == 2 * ITEMS);
#endif
    return 0;
}
