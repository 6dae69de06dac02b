// selvedge: check
// expect: violation deadlock
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// A mailbox for one letter, with one condition variable for those who write and those who read. A single signal may
// wake somebody of the wrong side, who goes back to sleep, and the signal is lost.
#include <pthread.h>
#include <stdbool.h>

#ifdef FIXED
#define NOTIFY pthread_cond_broadcast
#else
#define NOTIFY pthread_cond_signal
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool full;
static int letter;

static void post(int text) {
    pthread_mutex_lock(&lock);
    while (full)
        pthread_cond_wait(&changed, &lock);
    full = true;
    letter = text;
    NOTIFY(&changed);
    pthread_mutex_unlock(&lock);
}

static int fetch(void) {
    pthread_mutex_lock(&lock);
    while (!full)
        pthread_cond_wait(&changed, &lock);
    full = false;
    int text = letter;
    NOTIFY(&changed);
    pthread_mutex_unlock(&lock);
    return text;
}

static void *writer(void *unused) {
    post(1);
    post(2);
    return unused;
}

static void *reader(void *unused) {
    fetch();
    return unused;
}

int main(void) {
    pthread_t postman, first, second;
    pthread_create(&first, NULL, reader, NULL);
    pthread_create(&second, NULL, reader, NULL);
    pthread_create(&postman, NULL, writer, NULL);
    pthread_join(postman, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
