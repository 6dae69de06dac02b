// selvedge: check
// expect: violation assertion
// selvedge: check --model sc --strategy optimal
// expect: violation assertion
// selvedge: check --no-spurious
// expect: verified

// C11: "cnd_wait ... or until it is unblocked due to an unspecified reason".
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t changed;
static int full;

static int take(void *unused) {
    (void)unused;
    mtx_lock(&mutex);
    if (!full)
        cnd_wait(&changed, &mutex);
    assert(full);
    mtx_unlock(&mutex);
    return 0;
}

int main(void) {
    thrd_t taker;
    mtx_init(&mutex, mtx_plain);
    cnd_init(&changed);
    thrd_create(&taker, take, 0);
    mtx_lock(&mutex);
    full = 1;
    cnd_signal(&changed);
    mtx_unlock(&mutex);
    thrd_join(taker, 0);
    return 0;
}
