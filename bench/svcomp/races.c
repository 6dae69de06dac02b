// Who protects what. CASE: 0 one lock for each element of a table, 1 the lock's index from an input, 2 a structure with its lock
// behind a pointer, 3 the same lock on some paths only, 4 handed over by create and join, 5 given to the heap, 6 trylock,
// 7 a read-write lock, 8 two locks one in the other, 9 atomic sections. BAD: something is missing.
#include "task.h"
#define N 2
struct cell { pthread_mutex_t lock; int value; };
pthread_mutex_t locks[N + 1] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
int table[N], shared, mode;
struct cell *cell;
static void *work(void *argument) {
#if CASE == 0
    int i = between(0, N - 1);
    pthread_mutex_lock(&locks[BAD ? 1 - i : i]);
    table[i]++;
    pthread_mutex_unlock(&locks[BAD ? 1 - i : i]);
    if (BAD) { pthread_mutex_lock(&locks[0]); table[0]++; pthread_mutex_unlock(&locks[0]); }
#elif CASE == 1
    pthread_mutex_lock(&locks[mode]);
    shared++;
    pthread_mutex_unlock(&locks[mode]);
#elif CASE == 2
    struct cell *mine = argument;
    pthread_mutex_lock(&mine->lock);
    mine->value++;
    pthread_mutex_unlock(&mine->lock);
    if (BAD) mine->value++;
#elif CASE == 3
    int careful = BAD ? __VERIFIER_nondet_bool() : 1;
    if (careful) pthread_mutex_lock(&locks[0]);
    shared = shared + 1;
    if (careful) pthread_mutex_unlock(&locks[0]);
#elif CASE == 4
    shared++;
#elif CASE == 5
    int *mine = argument;
    *mine = 1;
#elif CASE == 6
    if (pthread_mutex_trylock(&locks[0]) == 0) { shared++; pthread_mutex_unlock(&locks[0]); }
    else if (BAD) shared++;
#elif CASE == 7
    if (__VERIFIER_nondet_bool()) {
        pthread_rwlock_rdlock(&rw);
        int seen = shared;
        if (BAD) shared = seen + 1;
        pthread_rwlock_unlock(&rw);
    } else {
        pthread_rwlock_wrlock(&rw);
        shared++;
        pthread_rwlock_unlock(&rw);
    }
#elif CASE == 8
    pthread_mutex_lock(&locks[0]);
    pthread_mutex_lock(&locks[1]);
    shared++;
    pthread_mutex_unlock(&locks[0]);
    if (BAD) table[0]++;
    pthread_mutex_unlock(&locks[1]);
    if (BAD) table[0]++;
#else
    if (BAD && __VERIFIER_nondet_bool()) shared++;
    else ATOMIC(shared++);
#endif
    (void)argument;
    return 0;
}
int main(void) {
    pthread_t a, b;
    struct cell own = {PTHREAD_MUTEX_INITIALIZER, 0};
    int *first = malloc(sizeof(int)), *second = BAD ? first : malloc(sizeof(int));
    assume(first && second);
    cell = &own;
#if CASE == 1 && BAD
    mode = between(0, N);
    pthread_create(&a, 0, work, cell);
    pthread_mutex_lock(&locks[0]);
    shared++;
    pthread_mutex_unlock(&locks[0]);
    pthread_join(a, 0);
    return 0;
#elif CASE == 1
    mode = between(0, N);
#endif
#if CASE == 4
    pthread_create(&a, 0, work, 0);
    if (!BAD) pthread_join(a, 0);
    shared++;
    pthread_create(&b, 0, work, 0);
    pthread_join(b, 0);
    if (BAD) pthread_join(a, 0);
    return shared;
#elif CASE == 5
    pthread_create(&a, 0, work, first);
    pthread_create(&b, 0, work, second);
#else
    pthread_create(&a, 0, work, cell);
    pthread_create(&b, 0, work, cell);
#endif
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
