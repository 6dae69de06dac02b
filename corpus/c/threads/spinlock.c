// selvedge: run
// expect: exit 0
// seeds: 6
// stdout: counter 24, trylock busy 1 then free 1
// native: same
//
// pthread_spin_lock, trylock and unlock.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_spinlock_t spin;
static int counter;

static void *work(void *unused) {
    for (int i = 0; i < 8; i++) {
        pthread_spin_lock(&spin);
        int seen = counter;
        counter = seen + 1;
        pthread_spin_unlock(&spin);
    }
    return unused;
}

int main(void) {
    pthread_t threads[3];
    if (pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE) != 0)
        return 1;
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    pthread_spin_lock(&spin);
    int busy = pthread_spin_trylock(&spin);
    pthread_spin_unlock(&spin);
    int free = pthread_spin_trylock(&spin);
    printf("counter %d, trylock busy %d then free %d\n", counter, busy == EBUSY, free == 0);
    pthread_spin_unlock(&spin);
    return pthread_spin_destroy(&spin);
}
