// Mutual exclusion by reading and writing alone, two threads. KIND: 0 Peterson, 1 Dekker, 2 a bakery, 3 flags that are looked
// at before they are set (wrong). BROKEN: a line is left out.
#include "task.h"
int flag[2], turn, number[2], choosing[2], inside;
static int get(int *place) { int value; ATOMIC(value = *place); return value; }
static void set(int *place, int value) { ATOMIC(*place = value); }
static void enter(int me) {
    int other = 1 - me;
#if KIND == 0
#if !BROKEN
    set(&flag[me], 1);
#endif
    set(&turn, other);
#if BROKEN
    set(&flag[me], 1);
#endif
    int waits = get(&flag[other]);
    int whose = get(&turn);
    assume(!(waits && whose == other));
#elif KIND == 1
    set(&flag[me], 1);
    if (get(&flag[other])) {
#if BROKEN
        if (get(&turn) != me) set(&turn, me);
#else
        if (get(&turn) != me) { set(&flag[me], 0); int whose = get(&turn); assume(whose == me); set(&flag[me], 1); }
        int still = get(&flag[other]);
        assume(!still);
#endif
    }
#elif KIND == 2
#if !BROKEN
    set(&choosing[me], 1);
#endif
    int theirs = get(&number[other]);
    set(&number[me], theirs + 1);
#if !BROKEN
    set(&choosing[me], 0);
#endif
    int chooses = get(&choosing[other]);
    assume(!chooses);
    int now = get(&number[other]);
    assume(now == 0 || now > get(&number[me]) || (now == get(&number[me]) && me < other));
#else
    int waits = get(&flag[other]);
    assume(!waits);
    set(&flag[me], 1);
#endif
}
static void leave(int me) {
#if KIND == 1
    set(&turn, 1 - me);
#elif KIND == 2
    set(&number[me], 0);
#endif
    set(&flag[me], 0);
}
static void *work(void *who) {
    int me = who != 0;
    for (int i = 0; i < ROUNDS; i++) {
        enter(me);
        int now;
        ATOMIC(now = ++inside);
        demand(now == 1);
        ATOMIC(inside--);
        leave(me);
    }
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, &turn);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
