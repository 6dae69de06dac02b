// selvedge: check
// expect: violation assertion line 37
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// Two connections fetch halves of a file while the progress is saved for a later resumption. Total and parts are read
// one after the other without the lock, and do not fit each other.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { CONNECTIONS = 2, CHUNKS = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int total;
static atomic_int part[CONNECTIONS];

static void *fetch(void *number) {
    int me = (int)(long)number;
    for (int i = 0; i < CHUNKS; i++) {
        pthread_mutex_lock(&lock);
        part[me]++;
        total++;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void *save_progress(void *unused) {
#ifdef FIXED
    pthread_mutex_lock(&lock);
#endif
    int saved_total = total, saved_parts = part[0] + part[1];
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#endif
    assert(saved_total == saved_parts);
    return unused;
}

int main(void) {
    pthread_t connections[CONNECTIONS], saver;
    for (long i = 0; i < CONNECTIONS; i++)
        pthread_create(&connections[i], NULL, fetch, (void *)i);
    pthread_create(&saver, NULL, save_progress, NULL);
    for (int i = 0; i < CONNECTIONS; i++)
        pthread_join(connections[i], NULL);
    pthread_join(saver, NULL);
    return 0;
}
