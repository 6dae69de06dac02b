// selvedge: check --no-races --strategy mpc
// expect: verified
//
// Who looks at the clock later sees a later time.
#include <pthread.h>
#include <selvedge.h>
#include <time.h>

static struct timespec theirs;

static void *work(void *unused) {
    clock_gettime(CLOCK_MONOTONIC, &theirs);
    return unused;
}

int main(void) {
    int add = selvedge_any_bool();
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    clock_gettime(CLOCK_MONOTONIC, &after);
    pthread_join(thread, 0);
    selvedge_assert(before.tv_nsec + add < theirs.tv_nsec && before.tv_nsec < after.tv_nsec);
    return 0;
}
