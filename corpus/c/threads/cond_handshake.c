// selvedge: run
// expect: exit 0
// seeds: 8
// stdout: ping 0 pong 0 ping 1 pong 1 ping 2 pong 2 ping 3 pong 3
// native: same
//
// Two threads take strict turns through one condition variable.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;
static char text[200];
static int length;

static void *play(void *argument) {
    int me = *(int *)argument;
    for (int round = 0; round < 4; round++) {
        pthread_mutex_lock(&mutex);
        while (turn != me)
            pthread_cond_wait(&changed, &mutex);
        length += snprintf(text + length, sizeof text - (size_t)length, "%s%s %d",
                           length ? " " : "", me ? "pong" : "ping", round);
        turn = !me;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int numbers[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, play, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    puts(text);
    return 0;
}
