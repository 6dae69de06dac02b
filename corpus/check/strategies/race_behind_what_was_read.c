// selvedge: check --model sc --strategy mcr
// expect: violation data-race
// selvedge: check --model sc --strategy mcr-s
// expect: violation data-race
// selvedge: check --model sc --strategy mcr-s+
// expect: violation data-race
// selvedge: check --model sc --strategy se-mcr
// expect: violation data-race
// selvedge: check --model sc --strategy viequi
// expect: violation data-race
// selvedge: check --model tso --strategy mcr
// expect: violation data-race
// selvedge: check --model tso --strategy mcr-s
// expect: violation data-race
// selvedge: check --model tso --strategy mcr-s+
// expect: violation data-race
// selvedge: check --model tso --strategy se-mcr
// expect: violation data-race
// selvedge: check --model tso --strategy viequi
// expect: violation data-race
// selvedge: check --model pso --strategy mcr
// expect: violation data-race
// selvedge: check --model pso --strategy mcr-s
// expect: violation data-race
// selvedge: check --model pso --strategy mcr-s+
// expect: violation data-race
// selvedge: check --model pso --strategy se-mcr
// expect: violation data-race
// selvedge: check --model pso --strategy viequi
// expect: violation data-race

// Two strings race only in the byte behind the first word, at which a copy looks only if that word is there.
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char text[8];

static void *begin(void *argument) {
    pthread_mutex_lock(&mutex);
    text[0] = 'a';
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *change(void *argument) {
    text[1] = 'b';
    return NULL;
}

static void *measure(void *argument) {
    pthread_mutex_lock(&mutex);
    size_t length = strlen(text); // fault: it looks at the second byte if the first is there
    pthread_mutex_unlock(&mutex);
    return (void *)length;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, begin, NULL);
    pthread_create(&threads[1], NULL, change, NULL);
    pthread_create(&threads[2], NULL, measure, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
