// selvedge: run
// expect-some: violation deadlock
// seeds: 40
//
// Two transfers in opposite directions take the two locks in opposite orders.
#include <pthread.h>
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
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

static void *forth(void *unused) {
    transfer(&accounts[0], &accounts[1], 10);
    return unused;
}

static void *back(void *unused) {
    transfer(&accounts[1], &accounts[0], 25);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, forth, NULL);
    pthread_create(&second, NULL, back, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    printf("%d %d\n", accounts[0].balance, accounts[1].balance);
    return 0;
}
