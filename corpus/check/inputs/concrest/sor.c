// selvedge: check --no-races
// expect: violation assertion
//
// Rows of a grid are averaged in turns; the barrier between the turns is missing.
#include <pthread.h>
#include <selvedge.h>

static int grid[3], turn[2];

static void *upper(void *unused) {
    grid[0] = (grid[0] + grid[1]) / 2;
    turn[0] = 1;
    selvedge_assert(turn[1] == 0 || grid[1] >= 0);
    return unused;
}

static void *lower(void *unused) {
    grid[1] = grid[1] - grid[2];
    turn[1] = 1;
    return unused;
}

int main(void) {
    for (int i = 0; i < 3; i++) {
        grid[i] = selvedge_any_int();
        selvedge_assume(0 <= grid[i] && grid[i] < 100);
    }
    pthread_t a, b;
    pthread_create(&a, 0, upper, 0);
    pthread_create(&b, 0, lower, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
