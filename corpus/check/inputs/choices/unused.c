// selvedge: check
// expect: verified
//
// An input that nothing depends on costs nothing.
#include <assert.h>
#include <pthread.h>
#include <selvedge.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *add(void *unused) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&mutex);
        count++;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    int nothing = selvedge_any_int();
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 6);
    return nothing * 0;
}
