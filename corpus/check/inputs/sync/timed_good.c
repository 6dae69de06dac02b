// selvedge: check
// expect: verified
//
// Who gives up waiting looks again before it believes that nothing has come.
#include <assert.h>
#include <pthread.h>
#include <selvedge.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int value, given, taken;

static void *take(void *unused) {
    struct timespec limit = {5, 0};
    pthread_mutex_lock(&mutex);
    while (!given)
        if (pthread_cond_timedwait(&condition, &mutex, &limit) != 0)
            break;
    if (given)
        taken = value;
    else
        taken = -1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    int n = selvedge_any_int();
    selvedge_assume(n >= 0);
    pthread_t thread;
    pthread_create(&thread, 0, take, 0);
    pthread_mutex_lock(&mutex);
    value = n;
    given = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    assert(taken == n || taken == -1);
    return 0;
}
