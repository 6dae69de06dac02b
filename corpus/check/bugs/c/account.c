// selvedge: check
// expect: violation assertion line 61
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// A bank account with a lock. Taking money out looks at the balance and changes it in two critical sections, so that
// a deposit in between is lost.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 10;

static void deposit(int amount) {
    pthread_mutex_lock(&lock);
    balance += amount;
    pthread_mutex_unlock(&lock);
}

#ifdef FIXED
static void withdraw(int amount) {
    pthread_mutex_lock(&lock);
    if (balance >= amount)
        balance -= amount;
    pthread_mutex_unlock(&lock);
}
#else
static int current_balance(void) {
    pthread_mutex_lock(&lock);
    int result = balance;
    pthread_mutex_unlock(&lock);
    return result;
}

static void withdraw(int amount) {
    int available = current_balance();
    if (available < amount)
        return;
    pthread_mutex_lock(&lock);
    balance = available - amount;
    pthread_mutex_unlock(&lock);
}
#endif

static void *salary(void *unused) {
    deposit(5);
    return unused;
}

static void *rent(void *unused) {
    withdraw(7);
    return unused;
}

int main(void) {
    pthread_t employer, landlord;
    pthread_create(&employer, NULL, salary, NULL);
    pthread_create(&landlord, NULL, rent, NULL);
    pthread_join(employer, NULL);
    pthread_join(landlord, NULL);
    assert(balance == 8);
    return 0;
}
