// selvedge: run
// expect-some: violation assertion line 24
// seeds: 40
//
// Each access is locked, the decision between them is not: both withdrawals may find enough.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static int look(void) {
    pthread_mutex_lock(&mutex);
    int seen = balance;
    pthread_mutex_unlock(&mutex);
    return seen;
}

static void *withdraw(void *amount) {
    if (look() >= *(int *)amount) {
        pthread_mutex_lock(&mutex);
        balance -= *(int *)amount;
        assert(balance >= 0); // fault: the other one was quicker
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int amounts[2] = {80, 70};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, withdraw, &amounts[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("balance is %s\n", balance >= 0 ? "fine" : "negative");
    return 0;
}
