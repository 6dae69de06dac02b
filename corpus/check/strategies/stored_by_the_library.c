// selvedge: check --model tso --strategy mcr --without privacy
// expect: unknown memory that is used again after it was freed
// selvedge: check --model tso --strategy se-mcr --without privacy
// expect: unknown memory that is used again after it was freed
// selvedge: check --model tso --strategy viequi --without privacy
// expect: unknown memory that is used again after it was freed
// selvedge: check --model pso --strategy se-mcr --without privacy
// expect: unknown memory that is used again after it was freed
// selvedge: check --model pso --strategy viequi --without privacy
// expect: unknown memory that is used again after it was freed

// When a thread with thread-specific values ends, the library stores to variables of its own, which are shared here. No event
// of the machine shows these stores, and they wait in the buffer. The variables are where others were that are gone, so the
// strategies do not know; but they never come to an order that cannot be followed.
#include <pthread.h>

static pthread_key_t key;

static void *end(void *argument) { return argument; }

int main(void) {
    pthread_t other;
    pthread_key_create(&key, NULL);
    pthread_setspecific(key, &key);
    pthread_create(&other, NULL, end, NULL);
    pthread_join(other, NULL);
    return 0;
}
