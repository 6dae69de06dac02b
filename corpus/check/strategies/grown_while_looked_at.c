// selvedge: check --model sc --strategy mcr
// expect: violation memory
// selvedge: check --model sc --strategy mcr-s
// expect: violation memory
// selvedge: check --model sc --strategy mcr-s+
// expect: violation memory
// selvedge: check --model sc --strategy se-mcr
// expect: violation memory
// selvedge: check --model sc --strategy viequi
// expect: violation memory

// What grows moves: who still knows the old place must not look there.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char *text;

static void *grow(void *argument) {
    pthread_mutex_lock(&mutex);
    text = realloc(text, 16);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *look(void *argument) {
    pthread_mutex_lock(&mutex);
    char *known = text;
    pthread_mutex_unlock(&mutex);
    return (void *)strlen(known); // fault: it may be gone
}

int main(void) {
    pthread_t first, second;
    text = strdup("abc");
    pthread_create(&first, NULL, grow, NULL);
    pthread_create(&second, NULL, look, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    free(text);
    return 0;
}
