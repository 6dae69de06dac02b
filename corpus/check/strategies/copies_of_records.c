// selvedge: check --model sc --strategy mcr
// expect: verified
// selvedge: check --model sc --strategy mcr-s
// expect: verified
// selvedge: check --model sc --strategy mcr-s+
// expect: verified
// selvedge: check --model sc --strategy se-mcr
// expect: verified
// selvedge: check --model sc --strategy viequi
// expect: verified
// selvedge: check --model tso --strategy mcr
// expect: verified
// selvedge: check --model tso --strategy mcr-s
// expect: verified
// selvedge: check --model tso --strategy mcr-s+
// expect: verified
// selvedge: check --model tso --strategy se-mcr
// expect: verified
// selvedge: check --model tso --strategy viequi
// expect: verified
// selvedge: check --model pso --strategy mcr
// expect: verified
// selvedge: check --model pso --strategy mcr-s
// expect: verified
// selvedge: check --model pso --strategy mcr-s+
// expect: verified
// selvedge: check --model pso --strategy se-mcr
// expect: verified
// selvedge: check --model pso --strategy viequi
// expect: verified

// A record is copied as a whole, by the compiler and by functions of the library, and looked at by others.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct record {
    int number;
    char name[12];
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct record published, kept;

static void *publish(void *argument) {
    struct record record = {7, "seven"};
    pthread_mutex_lock(&mutex);
    published = record;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *keep(void *argument) {
    pthread_mutex_lock(&mutex);
    memcpy(&kept, &published, sizeof kept);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *look(void *argument) {
    pthread_mutex_lock(&mutex);
    if (strlen(kept.name) == 5)
        assert(strcmp(kept.name, "seven") == 0 && kept.number == 7);
    else
        assert(kept.number == 0);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, publish, NULL);
    pthread_create(&threads[1], NULL, keep, NULL);
    pthread_create(&threads[2], NULL, look, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("%s\n", kept.name);
    return 0;
}
