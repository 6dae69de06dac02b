// selvedge: check --model rc11
// expect: verified
// mutant: violation

// The relaxed update continues the release sequence of the store: who acquires from it comes after `data = 1`.
#include <pthread.h>

static int data, flag;

static void *writer(void *unused) {
    data = 1;
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    return unused;
}

static void *adder(void *unused) {
    __atomic_fetch_add(&flag, 1, __ATOMIC_RELAXED);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    int seen = 0;
    pthread_create(&threads[0], 0, writer, 0);
    pthread_create(&threads[1], 0, adder, 0);
    if (__atomic_load_n(&flag, __ATOMIC_ACQUIRE) == 2)
        seen = data;
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return seen > 1;
}
