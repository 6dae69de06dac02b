// selvedge: check --no-races --strategy mpc --count-paths
// expect: verified paths 3
//
// Each thread decides by what the other one has written.
#include <pthread.h>

static int x, y;

static void *first(void *unused) {
    if (y == 1)
        x = 1;
    else
        x = 2;
    return unused;
}

static void *second(void *unused) {
    if (x == 2)
        y = 2;
    else
        y = 1;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
