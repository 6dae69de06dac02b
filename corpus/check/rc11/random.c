// selvedge: check
// expect: verified
// selvedge: check --cflags -DSAME
// expect: violation assertion line 38
// selvedge: check --model sc
// expect: verified
// selvedge: check --strategy optimal
// expect: verified
//
// Random numbers in threads: the system gives each thread its own, so that threads do not meet there; `rand` has one state, and
// which thread gets which number is open.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

static int drawn[2];
static uint64_t system_numbers[2];

static void *draw(void *own) {
    int me = own != 0;
    assert(getrandom(&system_numbers[me], sizeof *system_numbers, 0) == sizeof *system_numbers);
    drawn[me] = rand();
    return 0;
}

int main(void) {
    srand(1);
    int first = rand();
    srand(1);
    pthread_t one, other;
    pthread_create(&one, 0, draw, 0), pthread_create(&other, 0, draw, &one);
    pthread_join(one, 0), pthread_join(other, 0);
    assert(system_numbers[0] != system_numbers[1]);
    assert(drawn[0] != drawn[1]);
#ifdef SAME
    assert(drawn[0] == first);
#endif
    assert(drawn[0] == first || drawn[1] == first);
    return 0;
}
