// selvedge: check --without portfolio
// expect: violation memory
//
// The size of a block is an input: each is tried.
#include <pthread.h>
#include <selvedge.h>
#include <stdlib.h>

static char *block;

static void *write_third(void *unused) {
    block[2] = 1;
    return unused;
}

int main(void) {
    int size = selvedge_any_int();
    selvedge_assume(2 <= size && size <= 5);
    block = malloc(size);
    pthread_t a;
    pthread_create(&a, 0, write_third, 0);
    pthread_join(a, 0);
    free(block);
    return 0;
}
