// selvedge: run
// expect: exit 0
// seeds: 8
// stdout: balances 85 115
// native: same
//
// Two locks in either order without deadlock: whoever cannot get the second gives the first back.
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account accounts[2] = {
    {PTHREAD_MUTEX_INITIALIZER, 100},
    {PTHREAD_MUTEX_INITIALIZER, 100},
};

static void transfer(struct account *from, struct account *to, int amount) {
    for (;;) {
        pthread_mutex_lock(&from->lock);
        if (pthread_mutex_trylock(&to->lock) == 0)
            break;
        pthread_mutex_unlock(&from->lock);
        sched_yield();
    }
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

static void *forth(void *unused) {
    for (int i = 0; i < 3; i++)
        transfer(&accounts[0], &accounts[1], 10);
    return unused;
}

static void *back(void *unused) {
    for (int i = 0; i < 3; i++)
        transfer(&accounts[1], &accounts[0], 5);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, forth, NULL);
    pthread_create(&second, NULL, back, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    printf("balances %d %d\n", accounts[0].balance, accounts[1].balance);
    return 0;
}
