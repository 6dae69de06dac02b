// selvedge: check
// expect: verified
// mutant: violation
//
// The bytes of a barrier are copied; what they are copied to has never been initialised.
#include <pthread.h>
#include <string.h>

int main(void) {
    static pthread_barrier_t first, second;
    pthread_barrier_init(&first, NULL, 1);
    memcpy(&second, &first, sizeof second);
    pthread_barrier_init(&second, NULL, 1);
    pthread_barrier_wait(&second);
    return 0;
}
