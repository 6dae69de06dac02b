// selvedge: check --no-races --strategy mpc --count-paths
// expect: verified paths 2
//
// A look under a lock, before or after the write under the same lock.
#include <pthread.h>

static int x;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *set(void *unused) {
    pthread_mutex_lock(&lock);
    x = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *look(void *unused) {
    int seen = 0;
    pthread_mutex_lock(&lock);
    if (x != 0)
        seen = 1;
    pthread_mutex_unlock(&lock);
    return seen ? unused : 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, set, 0);
    pthread_create(&b, 0, look, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
