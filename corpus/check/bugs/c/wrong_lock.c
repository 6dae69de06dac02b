// selvedge: check
// expect: violation data-race
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// A counter of visitors that everybody changes under a lock, but not under the same one.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t front_lock = PTHREAD_MUTEX_INITIALIZER;
#ifndef FIXED
static pthread_mutex_t back_lock = PTHREAD_MUTEX_INITIALIZER;
#endif
static int visitors;

static void *front_door(void *unused) {
    pthread_mutex_lock(&front_lock);
    visitors++;
    pthread_mutex_unlock(&front_lock);
    return unused;
}

static void *back_door(void *unused) {
#ifdef FIXED
    pthread_mutex_t *lock = &front_lock;
#else
    pthread_mutex_t *lock = &back_lock;
#endif
    pthread_mutex_lock(lock);
    visitors++;
    pthread_mutex_unlock(lock);
    return unused;
}

int main(void) {
    pthread_t front, back;
    pthread_create(&front, NULL, front_door, NULL);
    pthread_create(&back, NULL, back_door, NULL);
    pthread_join(front, NULL);
    pthread_join(back, NULL);
    assert(visitors == 2);
    return 0;
}
