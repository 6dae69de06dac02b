// selvedge: run
// expect: exit 0
// seeds: 8
// stdout: meals 3 3 3 3 3
// native: same
//
// Five philosophers who always take the lower fork first: nobody starves, nothing locks up.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

enum { SEATS = 5, MEALS = 3 };

static pthread_mutex_t forks[SEATS];
static int holder[SEATS], meals[SEATS];

static void take(int fork, int me) {
    pthread_mutex_lock(&forks[fork]);
    assert(holder[fork] == -1);
    holder[fork] = me;
}

static void put(int fork) {
    holder[fork] = -1;
    pthread_mutex_unlock(&forks[fork]);
}

static void *dine(void *argument) {
    int me = *(int *)argument, left = me, right = (me + 1) % SEATS;
    int first = left < right ? left : right, second = left < right ? right : left;
    for (int i = 0; i < MEALS; i++) {
        take(first, me);
        take(second, me);
        assert(holder[left] == me && holder[right] == me);
        meals[me]++;
        put(second);
        put(first);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[SEATS];
    int numbers[SEATS];
    for (int i = 0; i < SEATS; i++) {
        pthread_mutex_init(&forks[i], NULL);
        holder[i] = -1;
        numbers[i] = i;
    }
    for (int i = 0; i < SEATS; i++)
        pthread_create(&threads[i], NULL, dine, &numbers[i]);
    printf("meals");
    for (int i = 0; i < SEATS; i++) {
        pthread_join(threads[i], NULL);
        printf(" %d", meals[i]);
    }
    printf("\n");
    return 0;
}
