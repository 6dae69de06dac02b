// selvedge: check --no-races --count-paths --cflags=-DROUNDS=1
// expect: verified paths 43
// selvedge: check --no-races --count-paths --cflags=-DROUNDS=1 --jobs 2
// expect: verified paths 43 executions 43
//
// A writer makes a sequence number odd while it writes; two readers look whether it was even and the same before and after.
#include <pthread.h>
#include <selvedge.h>

#ifndef ROUNDS
#define ROUNDS 2
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned sequence, data;

static void write_once(void) {
    unsigned old = sequence;
    if (old % 2 == 1)
        return;
    pthread_mutex_lock(&mutex);
    if (sequence == old) {
        sequence = old + 1;
        pthread_mutex_unlock(&mutex);
        data = 3;
        pthread_mutex_lock(&mutex);
        sequence++;
        pthread_mutex_unlock(&mutex);
    } else
        pthread_mutex_unlock(&mutex);
}

static int read_once(void) {
    unsigned old = sequence;
    if (old % 2 == 1)
        return 0;
    int seen = data;
    (void)seen;
    if (sequence == old)
        return 1;
    return 0;
}

static void *writer(void *unused) {
    unsigned k = selvedge_any_uint();
    if (k > ROUNDS)
        return unused;
    for (unsigned i = 0; k > i; i++)
        write_once();
    return unused;
}

static void *reader(void *unused) {
    unsigned k = selvedge_any_uint();
    if (k > ROUNDS)
        return unused;
    for (unsigned i = 0; k > i; i++)
        read_once();
    return unused;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_create(&c, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
