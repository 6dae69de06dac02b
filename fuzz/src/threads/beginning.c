#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int plain[3];
static volatile int seen;
static _Atomic int atom[3];
static _Atomic long wide;
static _Atomic unsigned char narrow;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static _Atomic(unsigned *) box;
static union {
    uint64_t word;
    uint16_t halves[4];
    uint8_t bytes[8];
} mixed;
static _Thread_local unsigned own;

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_rwlock_t shelf = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static sem_t tokens[3], permits;
static const struct timespec soon = {.tv_sec = 1704067201};

/* What the synchronisation protects, and the same counted where nothing can disturb it. */
struct counts {
    int guarded[2], shelved, spun, counted;
};
static int guarded[2], shelved, spun, initialised;
static _Atomic int counted;
static _Atomic int serials;
static int arrived[3], items[3];
static struct counts expected;

static void initialise(void) {
    initialised++;
}

static void mangle(unsigned *values) {
    for (int i = 2; i < 4; i++) {
        values[i] = values[i - 1] * 3 + values[i - 2];
    }
}

static void *child(void *argument) {
    unsigned *value = argument;
    *value += 1;
    atomic_fetch_add(&atom[0], 1);
    return value;
}

static unsigned in_child(unsigned x) {
    pthread_t thread;
    void *result;
    unsigned value = x;
    if (pthread_create(&thread, 0, child, &value) != 0) {
        abort();
    }
    if (pthread_join(thread, &result) != 0 || result != &value || value != x + 1) {
        abort();
    }
    return value;
}

static void meet_at_barrier(void) {
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
        atomic_fetch_add(&serials, 1);
    }
}

static void meet_at_condition(int phase) {
    pthread_mutex_lock(&gate);
    if (++arrived[phase] == THREADS) {
        pthread_cond_broadcast(&changed);
    }
    while (arrived[phase] < THREADS) {
        pthread_cond_wait(&changed, &gate);
    }
    pthread_mutex_unlock(&gate);
}

static void produce(int phase, int count) {
    for (int i = 0; i < count; i++) {
        pthread_mutex_lock(&gate);
        items[phase]++;
        pthread_cond_broadcast(&filled);
        pthread_mutex_unlock(&gate);
    }
}

static void consume(int phase) {
    pthread_mutex_lock(&gate);
    while (items[phase] == 0) {
        pthread_cond_wait(&filled, &gate);
    }
    items[phase]--;
    pthread_mutex_unlock(&gate);
}

static void finish(const struct counts *counts) {
    pthread_mutex_lock(&gate);
    for (int i = 0; i < 2; i++) {
        expected.guarded[i] += counts->guarded[i];
    }
    expected.shelved += counts->shelved;
    expected.spun += counts->spun;
    expected.counted += counts->counted;
    pthread_mutex_unlock(&gate);
}

static int wrong(const char *what) {
    printf("wrong: %s\n", what);
    return 1;
}

static int run(void *(*const bodies[THREADS])(void *), int barriers) {
    pthread_t threads[THREADS];
    unsigned arguments[THREADS];
    pthread_barrier_init(&barrier, 0, THREADS);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    pthread_key_create(&key, 0);
    sem_init(&permits, 0, 1);
    for (int i = 0; i < 3; i++) {
        sem_init(&tokens[i], 0, 0);
    }
    for (int i = 0; i < THREADS; i++) {
        arguments[i] = i;
        if (pthread_create(&threads[i], 0, bodies[i], &arguments[i]) != 0) {
            return wrong("pthread_create");
        }
    }
    for (int i = 0; i < THREADS; i++) {
        void *result;
        if (pthread_join(threads[i], &result) != 0) {
            return wrong("pthread_join");
        }
        printf("%u\n", (unsigned)(uintptr_t)result);
    }
    free(atomic_exchange(&box, 0));
    printf("%d %d %d %ld %d %lx\n", plain[0], atom[0], atom[1], wide, narrow, (unsigned long)mixed.word);
    for (int i = 0; i < 2; i++) {
        if (guarded[i] != expected.guarded[i]) {
            return wrong("what a mutex guards");
        }
    }
    for (int i = 0; i < 3; i++) {
        if (items[i] != 0 || (arrived[i] != 0 && arrived[i] != THREADS)) {
            return wrong("what a condition guards");
        }
    }
    if (shelved != expected.shelved) {
        return wrong("what a reader-writer lock guards");
    }
    if (spun != expected.spun) {
        return wrong("what a spinlock guards");
    }
    if (counted != expected.counted) {
        return wrong("what is counted atomically");
    }
    if (initialised > 1) {
        return wrong("what is initialised once");
    }
    return serials == barriers ? 0 : wrong("the serial threads of barriers");
}
