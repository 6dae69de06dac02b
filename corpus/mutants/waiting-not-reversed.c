// selvedge: check --model sc --strategy optimal
// expect: violation assertion
// mutant: verified

// Which of two threads takes the mutex first decides: the one that comes second in an execution could have overtaken the other.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *writer(void *unused) {
    pthread_mutex_lock(&mutex);
    x = 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *reader(void *unused) {
    pthread_mutex_lock(&mutex);
    assert(x == 1);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, writer, 0);
    pthread_create(&threads[1], 0, reader, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
