// selvedge: check
// expect: violation termination
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// Two threads need both locks, take them in opposite orders and step back politely when the second is taken. They can
// go on being polite for ever.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t hammer = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t nails = PTHREAD_MUTEX_INITIALIZER;
static int shelves;

static void build(pthread_mutex_t *first, pthread_mutex_t *second) {
#ifdef FIXED
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
#else
    for (;;) {
        pthread_mutex_lock(first);
        if (pthread_mutex_trylock(second) == 0)
            break;
        pthread_mutex_unlock(first);
    }
#endif
    shelves++;
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *carpenter(void *unused) {
    build(&hammer, &nails);
    return unused;
}

static void *apprentice(void *unused) {
#ifdef FIXED
    build(&hammer, &nails);
#else
    build(&nails, &hammer);
#endif
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, carpenter, NULL);
    pthread_create(&other, NULL, apprentice, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(shelves == 2);
    return 0;
}
