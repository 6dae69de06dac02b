// selvedge: check
// expect: violation assertion line 39
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// A value and what is derived from it have a lock each. Between the two stages of an update the derived one is stale,
// and a reader can see both.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t source_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t derived_lock = PTHREAD_MUTEX_INITIALIZER;
static int source, derived;

static void *update(void *unused) {
    pthread_mutex_lock(&source_lock);
    int fresh = ++source;
#ifndef FIXED
    pthread_mutex_unlock(&source_lock);
#endif
    pthread_mutex_lock(&derived_lock);
    derived = fresh + 1;
    pthread_mutex_unlock(&derived_lock);
#ifdef FIXED
    pthread_mutex_unlock(&source_lock);
#endif
    return unused;
}

static void *look(void *unused) {
    pthread_mutex_lock(&source_lock);
    int seen = source;
    pthread_mutex_unlock(&source_lock);
    if (seen == 0)
        return unused;
    pthread_mutex_lock(&derived_lock);
    int result = derived;
    pthread_mutex_unlock(&derived_lock);
    assert(result > seen);
    return unused;
}

int main(void) {
    pthread_t updaters[2], reader;
    for (int i = 0; i < 2; i++)
        pthread_create(&updaters[i], NULL, update, NULL);
    pthread_create(&reader, NULL, look, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(updaters[i], NULL);
    pthread_join(reader, NULL);
    return 0;
}
