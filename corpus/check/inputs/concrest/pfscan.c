// selvedge: check --no-races
// expect: violation assertion
//
// Files are scanned by threads that take them from a queue; the count of matches grows without a lock.
#include <pthread.h>
#include <selvedge.h>

#define FILES 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int queue[FILES], next, matches;

static void *scan(void *unused) {
    for (;;) {
        pthread_mutex_lock(&lock);
        int file = next < FILES ? queue[next++] : -1;
        pthread_mutex_unlock(&lock);
        if (file < 0)
            return unused;
        if (file == 42) {
            int before = matches;
            matches = before + 1;
            selvedge_assert(matches == before + 1);
        }
    }
}

int main(void) {
    for (int i = 0; i < FILES; i++) {
        queue[i] = selvedge_any_int();
        selvedge_assume(queue[i] >= 0);
    }
    pthread_t a, b;
    pthread_create(&a, 0, scan, 0);
    pthread_create(&b, 0, scan, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
