// selvedge: check
// expect: violation deadlock
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// A file with a buffer and a lock. Closing it flushes the buffer if there is anything in it, and flushing takes the
// lock that closing already holds.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int buffered, written;

static void flush_locked(void) {
    written += buffered;
    buffered = 0;
}

static void flush(void) {
    pthread_mutex_lock(&lock);
    flush_locked();
    pthread_mutex_unlock(&lock);
}

static void close_file(void) {
    pthread_mutex_lock(&lock);
    if (buffered > 0)
#ifdef FIXED
        flush_locked();
#else
        flush();
#endif
    pthread_mutex_unlock(&lock);
}

static void *writer(void *unused) {
    pthread_mutex_lock(&lock);
    buffered++;
    pthread_mutex_unlock(&lock);
    flush();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    close_file();
    pthread_join(thread, NULL);
    assert(written == 1);
    return 0;
}
