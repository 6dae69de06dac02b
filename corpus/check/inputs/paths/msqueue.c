// selvedge: check --no-races --count-paths --cflags=-DROUNDS=1
// expect: verified paths 12
// selvedge: check --no-races --count-paths --cflags=-DROUNDS=2
// expect: verified paths 43 executions 43
// selvedge: check --no-races --count-paths --cflags=-DROUNDS=4
// expect: verified paths 777 executions 777
//
// The queue of Michael and Scott: one thread puts, one takes, as often as inputs say. Nodes have numbers, and what comes
// after each of up to seven is in one word: no address depends on a value, so that paths are what the program decides.
#include <pthread.h>
#include <selvedge.h>

#ifndef ROUNDS
#define ROUNDS 2
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int head = 1, tail = 1;
static unsigned next;

static int next_of(int node) {
    return (next >> (4 * node & 31)) & 15;
}

static void set_next(int node, unsigned to) {
    int place = 4 * node & 31;
    next = (next & ~(15u << place)) | (to << place);
}

static int exchange_next(int node, int old, int new) {
    pthread_mutex_lock(&mutex);
    if (next_of(node) == old) {
        set_next(node, new);
        pthread_mutex_unlock(&mutex);
        return 1;
    }
    pthread_mutex_unlock(&mutex);
    return 0;
}

static int exchange(int *place, int old, int new) {
    pthread_mutex_lock(&mutex);
    if (*place == old) {
        *place = new;
        pthread_mutex_unlock(&mutex);
        return 1;
    }
    pthread_mutex_unlock(&mutex);
    return 0;
}

static void put(int node) {
    int last;
    for (;;) {
        last = tail;
        int after = next_of(last);
        if (last == tail)
            if (after == 0)
                if (exchange_next(last, after, node))
                    break;
        exchange(&tail, last, next_of(last));
    }
    exchange(&tail, last, node);
}

static void take(void) {
    for (;;) {
        int first = head, last = tail, after = next_of(first);
        if (head == first) {
            if (first == last) {
                if (after == 0)
                    break;
                exchange(&tail, last, after);
            } else if (exchange(&head, first, after))
                break;
        }
    }
}

static void *producer(void *unused) {
    unsigned k = selvedge_any_uint();
    if (k > ROUNDS)
        return unused;
    for (unsigned i = 0; k > i; i++)
        put(2 + i);
    return unused;
}

static void *consumer(void *unused) {
    unsigned k = selvedge_any_uint();
    if (k > ROUNDS)
        return unused;
    for (unsigned i = 0; k > i; i++)
        take();
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
