// selvedge: run
// expect-some: violation assertion
// seeds: 20
//
// An argument that is passed by value is read by the call: another thread can write before and after it.
#include <assert.h>
#include <pthread.h>

struct big {
    long words[8];
};

static struct big shared;

static long sum(struct big value) {
    return value.words[0] + value.words[7];
}

static void *fill(void *unused) {
    shared.words[0] = 1;
    shared.words[7] = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, fill, 0);
    long seen = sum(shared);
    pthread_join(thread, 0);
    assert(seen != 1);
    return 0;
}
