// selvedge: check --model pso --strategy mcr
// expect: verified
// selvedge: check --model pso --strategy mcr-s
// expect: verified
// selvedge: check --model pso --strategy se-mcr
// expect: verified
// selvedge: check --model pso --strategy viequi
// expect: verified

// Under pso an object's first stores enter the buffer when the object becomes known to others: they are stores of the
// thread that no event of the machine shows, and they are committed like any others.
#include <pthread.h>
#include <stdlib.h>

struct box {
    int a, d;
};
static struct box *box;
static int known;

static void *fill(void *argument) {
    struct box *own = malloc(sizeof *own);
    own->a = 1;
    own->d = 1;
    __atomic_store_n(&box, own, __ATOMIC_RELAXED);
    __atomic_store_n(&known, 1, __ATOMIC_RELEASE);
    return NULL;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, NULL, fill, NULL);
    if (__atomic_load_n(&known, __ATOMIC_ACQUIRE)) {
        struct box *seen = __atomic_load_n(&box, __ATOMIC_RELAXED);
        if (seen->a != 1) abort();
    }
    return 0;
}
