// selvedge: check --model pso --strategy optimal
// expect: verified
// selvedge: check --model pso --strategy dpor
// expect: verified

// The thread's first visible operation is the store to `hidden`. By then it has made its object known as a number, so that the
// stores to that wait in its buffer: they have entered it in the step of `main` that creates the thread, and come after that.
#include <pthread.h>
#include <stdlib.h>

struct box {
    int a, d;
};
static unsigned long hidden;
static int known;

static void *fill(void *argument) {
    struct box *own = malloc(sizeof *own);
    own->a = 1;
    own->d = 1;
    hidden = (unsigned long)own ^ 0x5a5aUL;
    __atomic_store_n(&known, 1, __ATOMIC_RELEASE);
    return (void *)(long)own->d;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, NULL, fill, NULL);
    return 0;
}
