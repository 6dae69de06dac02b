// selvedge: check --model sc --strategy mcr
// expect: violation assertion
// selvedge: check --model sc --strategy mcr-s
// expect: violation assertion
// selvedge: check --model sc --strategy mcr-s+
// expect: violation assertion
// selvedge: check --model sc --strategy se-mcr
// expect: violation assertion
// selvedge: check --model sc --strategy viequi
// expect: violation assertion
// selvedge: check --model tso --strategy mcr
// expect: violation assertion
// selvedge: check --model tso --strategy mcr-s
// expect: violation assertion
// selvedge: check --model tso --strategy mcr-s+
// expect: violation assertion
// selvedge: check --model tso --strategy se-mcr
// expect: violation assertion
// selvedge: check --model tso --strategy viequi
// expect: violation assertion

// What is appended depends on what is there: the length of the string decides where the library looks and writes.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char text[16] = "a";

static void *append(void *more) {
    pthread_mutex_lock(&mutex);
    strcat(text, more);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, append, "b");
    pthread_create(&second, NULL, append, "cd");
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(memcmp(text, "acdb", 4) != 0); // fault: the second may come first
    return 0;
}
