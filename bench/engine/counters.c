/* Four threads on shared counters: nearly every operation is visible. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int shared;
static int own[4];

static void *count(void *argument)
{
    int me = (int)(long)argument;
    for (int i = 0; i < 100000; i++) {
        atomic_fetch_add(&shared, 1);
        own[me] = own[me] + 1;
    }
    return 0;
}

int main(void)
{
    pthread_t threads[4];
    for (long i = 0; i < 4; i++)
        pthread_create(&threads[i], 0, count, (void *)i);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
    return shared == 400000 ? 0 : 1;
}
