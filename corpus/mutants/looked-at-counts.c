// selvedge: check --model rc11
// expect: unknown
// mutant: verified

// Graphs are too long here, so the states of operational RC11 decide. The looker may find what the second addition has
// left though the first one came later, and then it knows nothing of what the first one has released: the order of the two
// makes a difference where a load may find what is between them. Since that search reports nothing the answer stays open.
#include <assert.h>
#include <pthread.h>

static int n, x, z, count;

static void *first(void *unused) {
    __atomic_store_n(&x, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&n, 1, __ATOMIC_RELEASE);
    __atomic_store_n(&z, 1, __ATOMIC_RELAXED);
    return unused;
}

static void *second(void *unused) {
    __atomic_fetch_add(&n, 1, __ATOMIC_RELAXED);
    return unused;
}

static void *looker(void *unused) {
    if (__atomic_load_n(&z, __ATOMIC_RELAXED)) {
        int found = __atomic_load_n(&n, __ATOMIC_ACQUIRE);
        assert(found != 1 || __atomic_load_n(&x, __ATOMIC_RELAXED));
    }
    return unused;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], 0, first, 0);
    pthread_create(&threads[1], 0, second, 0);
    pthread_create(&threads[2], 0, looker, 0);
    for (int i = 0; i < 2100; i++)
        __atomic_fetch_add(&count, i, __ATOMIC_RELAXED);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
