// selvedge: check
// expect: violation deadlock
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// A barrier made of a count and a condition variable, used for two phases. A fast thread comes back before a slow one
// has seen that the first phase is over.
#include <pthread.h>

enum { PARTIES = 2, PHASES = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t everybody_here = PTHREAD_COND_INITIALIZER;
static int arrived;
#ifdef FIXED
static int phase;
#endif

static void await_others(void) {
    pthread_mutex_lock(&lock);
#ifdef FIXED
    int mine = phase;
#endif
    if (++arrived == PARTIES) {
        arrived = 0;
#ifdef FIXED
        phase++;
#endif
        pthread_cond_broadcast(&everybody_here);
    } else {
#ifdef FIXED
        while (phase == mine)
#else
        while (arrived != 0)
#endif
            pthread_cond_wait(&everybody_here, &lock);
    }
    pthread_mutex_unlock(&lock);
}

static void *party(void *unused) {
    for (int i = 0; i < PHASES; i++)
        await_others();
    return unused;
}

int main(void) {
    pthread_t parties[PARTIES];
    for (int i = 0; i < PARTIES; i++)
        pthread_create(&parties[i], NULL, party, NULL);
    for (int i = 0; i < PARTIES; i++)
        pthread_join(parties[i], NULL);
    return 0;
}
