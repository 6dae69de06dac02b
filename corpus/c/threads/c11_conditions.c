// selvedge: run
// expect: exit 0
// seeds: 6
// stdout: received 1 2 3 4 5
// stdout: all released 3
// native: same
//
// <threads.h>: cnd_wait, cnd_signal, cnd_broadcast with a one-slot channel and a gate.
#include <stdio.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t changed, gate;
static int slot, full, is_open, released;

static int send_all(void *unused) {
    (void)unused;
    for (int i = 1; i <= 5; i++) {
        mtx_lock(&mutex);
        while (full)
            cnd_wait(&changed, &mutex);
        slot = i;
        full = 1;
        cnd_signal(&changed);
        mtx_unlock(&mutex);
    }
    return 0;
}

static int wait_at_gate(void *unused) {
    (void)unused;
    mtx_lock(&mutex);
    while (!is_open)
        cnd_wait(&gate, &mutex);
    released++;
    mtx_unlock(&mutex);
    return 0;
}

int main(void) {
    thrd_t sender, waiters[3];
    mtx_init(&mutex, mtx_plain);
    cnd_init(&changed);
    cnd_init(&gate);
    thrd_create(&sender, send_all, NULL);
    for (int i = 0; i < 3; i++)
        thrd_create(&waiters[i], wait_at_gate, NULL);
    printf("received");
    for (int i = 0; i < 5; i++) {
        mtx_lock(&mutex);
        while (!full)
            cnd_wait(&changed, &mutex);
        printf(" %d", slot);
        full = 0;
        cnd_signal(&changed);
        mtx_unlock(&mutex);
    }
    mtx_lock(&mutex);
    is_open = 1;
    cnd_broadcast(&gate);
    mtx_unlock(&mutex);
    thrd_join(sender, NULL);
    for (int i = 0; i < 3; i++)
        thrd_join(waiters[i], NULL);
    printf("\nall released %d\n", released);
    cnd_destroy(&gate);
    cnd_destroy(&changed);
    mtx_destroy(&mutex);
    return 0;
}
