// selvedge: check --no-races
// expect: violation assertion
//
// A download in parts: the count of written bytes grows under a lock, but is looked at again outside of it.
#include <pthread.h>
#include <selvedge.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned written;

static void *part(void *unused) {
    unsigned length = selvedge_any_uint();
    selvedge_assume(0 < length && length <= 4);
    pthread_mutex_lock(&lock);
    unsigned before = written;
    written += length;
    pthread_mutex_unlock(&lock);
    selvedge_assert(before + length == written);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, part, 0);
    pthread_create(&b, 0, part, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
