// selvedge: check
// expect: violation deadlock
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// Two transfers in opposite directions, each of which locks first the account that it takes the money from.
#include <assert.h>
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int number, balance;
};

static struct account left = {PTHREAD_MUTEX_INITIALIZER, 1, 100};
static struct account right = {PTHREAD_MUTEX_INITIALIZER, 2, 100};

static void transfer(struct account *from, struct account *to, int amount) {
    struct account *first = from, *second = to;
#ifdef FIXED
    if (first->number > second->number) {
        first = to;
        second = from;
    }
#endif
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
}

static void *there(void *unused) {
    transfer(&left, &right, 30);
    return unused;
}

static void *back(void *unused) {
    transfer(&right, &left, 20);
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, there, NULL);
    pthread_create(&other, NULL, back, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(left.balance == 90 && right.balance == 110);
    return 0;
}
