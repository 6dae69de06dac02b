#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

struct point {
    char tag;
    short x : 5, y : 9;
    double weight;
    struct point *next;
};

static struct point points[3] = {{'a', 1, 2, 0.5, &points[1]}, {'b', -3, 4, 1.5, &points[2]}, {'c', 5, -6, 2.5, 0}};
static _Atomic long total;
static _Thread_local int calls;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int (*table[3])(int);
int shared;

static int twice(int x) {
    return 2 * x;
}

static int square(int x) {
    return x * x;
}

static int fold(int count, ...) {
    va_list list;
    va_start(list, count);
    int sum = 0;
    for (int i = 0; i < count; i++) {
        sum += va_arg(list, int);
    }
    va_end(list);
    return sum;
}

static void *work(void *argument) {
    unsigned seed = *(unsigned *)argument;
    for (int i = 0; i < 4; i++) {
        calls++;
        switch (seed % 5) {
        case 0:
            atomic_fetch_add_explicit(&total, 3, memory_order_relaxed);
            break;
        case 1: {
            long old = 0;
            atomic_compare_exchange_weak(&total, &old, 7);
            break;
        }
        case 2:
            pthread_mutex_lock(&lock);
            shared += table[seed % 3] ? table[seed % 3]((int)seed) : 1;
            pthread_mutex_unlock(&lock);
            break;
        case 3:
            atomic_thread_fence(memory_order_acq_rel);
            shared = (int)(points[seed % 3].weight * seed) >> 2;
            break;
        default:
            memcpy(&points[seed % 3], &points[(seed + 1) % 3], sizeof points[0]);
        }
        seed = seed * 1103515245u + 12345u;
    }
    return 0;
}

int main(int count, char **words) {
    unsigned seeds[2] = {3, 11};
    pthread_t threads[2];
    table[0] = twice;
    table[1] = square;
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], 0, work, &seeds[i]);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], 0);
    }
    __int128 wide = (__int128)total << 70;
    float ratio = (float)shared / (float)(count + 1);
    printf("%d %f %d %s\n", (int)(wide >> 68), (double)ratio, fold(3, shared, calls, points[0].x), words[0]);
    return points[1].y == 100;
}
