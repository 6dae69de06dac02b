// selvedge: check --cflags=-DPHILOSOPHERS=2
// expect: violation deadlock
// selvedge: check --cflags=-DPHILOSOPHERS=3
// expect: violation deadlock
// selvedge: check --cflags=-DPHILOSOPHERS=5
// expect: violation deadlock
// selvedge: check --cflags="-DPHILOSOPHERS=2 -DFIXED"
// expect: verified
// selvedge: check --cflags="-DPHILOSOPHERS=3 -DFIXED"
// expect: verified
// selvedge: check --cflags="-DPHILOSOPHERS=5 -DFIXED"
// expect: verified
//
// Philosophers around a table with one fork between each two. If everybody takes the left fork first, all of them can
// wait for the right one.
#include <pthread.h>

static pthread_mutex_t forks[PHILOSOPHERS];
static int meals[PHILOSOPHERS];

static void *dine(void *seat) {
    int me = (int)(long)seat;
    int first = me, second = (me + 1) % PHILOSOPHERS;
#ifdef FIXED
    if (first > second) {
        first = second;
        second = me;
    }
#endif
    pthread_mutex_lock(&forks[first]);
    pthread_mutex_lock(&forks[second]);
    meals[me]++;
    pthread_mutex_unlock(&forks[second]);
    pthread_mutex_unlock(&forks[first]);
    return NULL;
}

int main(void) {
    pthread_t philosophers[PHILOSOPHERS];
    for (int i = 0; i < PHILOSOPHERS; i++)
        pthread_mutex_init(&forks[i], NULL);
    for (long i = 0; i < PHILOSOPHERS; i++)
        pthread_create(&philosophers[i], NULL, dine, (void *)i);
    for (int i = 0; i < PHILOSOPHERS; i++)
        pthread_join(philosophers[i], NULL);
    return 0;
}
