// selvedge: check
// expect: violation assertion line 32
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// A ticket lock whose tickets are drawn by a read and a write. Two threads can draw the same number.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next_ticket, now_serving, inside;

static int lock(void) {
#ifdef FIXED
    int mine = atomic_fetch_add(&next_ticket, 1);
#else
    int mine = atomic_load(&next_ticket);
    atomic_store(&next_ticket, mine + 1);
#endif
    while (atomic_load(&now_serving) < mine)
        ;
    return mine;
}

static void unlock(int mine) {
    atomic_store(&now_serving, mine + 1);
}

static void *customer(void *unused) {
    int ticket = lock();
    int others = atomic_fetch_add(&inside, 1);
    assert(others == 0);
    atomic_fetch_sub(&inside, 1);
    unlock(ticket);
    return unused;
}

int main(void) {
    pthread_t customers[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&customers[i], NULL, customer, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(customers[i], NULL);
    return 0;
}
