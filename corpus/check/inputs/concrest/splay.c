// selvedge: check --no-races
// expect: verified
//
// Threads bring keys to the front of a list under a lock, as often as they are asked for.
#include <pthread.h>
#include <selvedge.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int keys[2] = {1, 2}, operations;

static void *look_up(void *unused) {
    int key = selvedge_any_int();
    pthread_mutex_lock(&lock);
    operations++;
    if (keys[1] == key) {
        keys[1] = keys[0];
        keys[0] = key;
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, look_up, 0);
    pthread_create(&b, 0, look_up, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    selvedge_assert(operations == 2);
    selvedge_assert(keys[0] + keys[1] == 3);
    return 0;
}
