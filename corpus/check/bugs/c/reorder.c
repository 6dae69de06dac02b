// selvedge: check
// expect: violation assertion line 38
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// Two settings that belong together are changed one after the other. Who looks in between sees one of them only.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int width, height;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void enter(void) {
#ifdef FIXED
    pthread_mutex_lock(&lock);
#endif
}

static void leave(void) {
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#endif
}

static void *resize(void *unused) {
    enter();
    atomic_store(&width, 1);
    atomic_store(&height, -1);
    leave();
    return unused;
}

static void *draw(void *unused) {
    pthread_mutex_lock(&lock);
    int seen_width = atomic_load(&width), seen_height = atomic_load(&height);
    pthread_mutex_unlock(&lock);
    assert((seen_width == 0 && seen_height == 0) || (seen_width == 1 && seen_height == -1));
    return unused;
}

int main(void) {
    pthread_t resizers[2], painter;
    for (int i = 0; i < 2; i++)
        pthread_create(&resizers[i], NULL, resize, NULL);
    pthread_create(&painter, NULL, draw, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(resizers[i], NULL);
    pthread_join(painter, NULL);
    return 0;
}
