// selvedge: run
// expect: exit 0
// seeds: 6
// stdout: initialised 1 times, sum 168
// native: same
//
// pthread_once: one thread runs the function, and no other passes before it has ended.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int times, table[3];
static atomic_int sum;

static void initialise(void) {
    times++;
    for (int i = 0; i < 3; i++) {
        table[i] = (i + 1) * 7;
        sched_yield();
    }
}

static void *use(void *unused) {
    pthread_once(&once, initialise);
    for (int i = 0; i < 3; i++)
        sum += table[i];
    pthread_once(&once, initialise);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, use, NULL);
    use(NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("initialised %d times, sum %d\n", times, sum);
    return 0;
}
