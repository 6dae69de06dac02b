// selvedge: check --no-races
// expect: verified
//
// A semaphore says how many may pass.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void reach_error(void);

#include <semaphore.h>

static sem_t room;
static int inside, most;

static void *first(void *unused) {
    sem_wait(&room);
    inside = __VERIFIER_nondet_int();
    if (inside > most)
        most = inside;
    sem_post(&room);
    return unused;
}

static void *second(void *unused) {
    sem_wait(&room);
    inside = 3;
    int seen = inside;
    if (seen != 3)
        reach_error();
    sem_post(&room);
    return unused;
}


int main(void) {
    sem_init(&room, 0, 1);
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
