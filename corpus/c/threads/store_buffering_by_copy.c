// selvedge: run --model tso
// expect-some: violation assertion line 36
// seeds: 60
//
// Structures copied as a whole wait in store buffers like single stores: neither thread sees the other's.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

struct pair {
    long first, second, third;
};

static struct pair left, right;
static const struct pair ones = {1, 1, 1};
static long left_saw, right_saw;

static void *go_left(void *unused) {
    left = ones;
    left_saw = right.first;
    return unused;
}

static void *go_right(void *unused) {
    right = ones;
    right_saw = left.first;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, go_left, 0);
    pthread_create(&threads[1], 0, go_right, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    assert(left_saw || right_saw); // fault: on x86 both can be 0
    puts("somebody was first");
    return 0;
}
