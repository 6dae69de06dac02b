// selvedge: check
// expect: verified
//
// Threads whose functions end without returning anything. That is allowed as long as nobody looks at their results.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *add(void *argument) {
    pthread_mutex_lock(&lock);
    sum += *(int *)argument;
    pthread_mutex_unlock(&lock);
}

int main(void) {
    int one = 1, two = 2;
    pthread_t first, second;
    void *ignored;
    pthread_create(&first, NULL, add, &one);
    pthread_create(&second, NULL, add, &two);
    pthread_join(first, NULL);
    pthread_join(second, &ignored);
    return sum != 3;
}
