// selvedge: check
// expect: violation assertion line 40
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// Money moves between two accounts that have a lock each while an auditor adds them up. The amount is on its way
// between the two critical sections, in no account at all.
#include <assert.h>
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account checking = {PTHREAD_MUTEX_INITIALIZER, 60};
static struct account savings = {PTHREAD_MUTEX_INITIALIZER, 40};

static void *transfer(void *unused) {
    pthread_mutex_lock(&checking.lock);
    checking.balance -= 25;
#ifndef FIXED
    pthread_mutex_unlock(&checking.lock);
#endif
    pthread_mutex_lock(&savings.lock);
    savings.balance += 25;
    pthread_mutex_unlock(&savings.lock);
#ifdef FIXED
    pthread_mutex_unlock(&checking.lock);
#endif
    return unused;
}

static void *audit(void *unused) {
    pthread_mutex_lock(&checking.lock);
    pthread_mutex_lock(&savings.lock);
    int total = checking.balance + savings.balance;
    pthread_mutex_unlock(&savings.lock);
    pthread_mutex_unlock(&checking.lock);
    assert(total == 100);
    return unused;
}

int main(void) {
    pthread_t teller, auditor;
    pthread_create(&teller, NULL, transfer, NULL);
    pthread_create(&auditor, NULL, audit, NULL);
    pthread_join(teller, NULL);
    pthread_join(auditor, NULL);
    return 0;
}
