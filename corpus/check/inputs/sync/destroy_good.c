// selvedge: check --no-races
// expect: verified
//
// A lock is destroyed when its owner has found that nobody is left.
#include <pthread.h>
#include <selvedge.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    unsigned char wanted = selvedge_any_uchar();
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_mutex_lock(&lock);
    int seen = done;
    pthread_mutex_unlock(&lock);
    if (seen && wanted) pthread_mutex_destroy(&lock);
    pthread_join(thread, 0);
    return 0;
}
