// selvedge: check
// expect: violation deadlock
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// The loader signals that it is done and says so in the flag afterwards. Who is woken looks at the flag too early and
// goes back to sleep.
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done_changed = PTHREAD_COND_INITIALIZER;
static bool done;

static void set_done(void) {
    pthread_mutex_lock(&lock);
    done = true;
    pthread_mutex_unlock(&lock);
}

static void announce(void) {
    pthread_mutex_lock(&lock);
    pthread_cond_broadcast(&done_changed);
    pthread_mutex_unlock(&lock);
}

static void *load(void *unused) {
#ifdef FIXED
    set_done();
    announce();
#else
    announce();
    set_done();
#endif
    return unused;
}

int main(void) {
    pthread_t loader;
    pthread_create(&loader, NULL, load, NULL);
    pthread_mutex_lock(&lock);
    while (!done)
        pthread_cond_wait(&done_changed, &lock);
    pthread_mutex_unlock(&lock);
    pthread_join(loader, NULL);
    return 0;
}
