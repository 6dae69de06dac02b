// Every thread does what its argument says: numbers of operations below, three digits each. The objects are few, so that the
// operations of different threads meet. What a call says does not matter, only which bytes it may touch.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#define THREADS 3
#define OPERATIONS 4

static pthread_mutex_t normal = PTHREAD_MUTEX_INITIALIZER, recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP,
                       checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static sem_t none, one;
static mtx_t mtx;
static cnd_t cnd;
static once_flag flag = ONCE_FLAG_INIT;
static tss_t tss;
static int word, futex, plain, found, pipes[2];
static char text[16] = "abc", copied[16];
static void *volatile block;
static FILE *stream;
static pthread_t handles[THREADS];
static int todo[THREADS][OPERATIONS];

static struct timespec soon(void) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  time.tv_nsec += 1000;
  return time;
}

static void nothing(void) { plain = 1; }
static void *ends(void *argument) { return argument; }
static int ends_soon(void *argument) { return argument != 0; }
static int ordered(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }

#define OPERATION(statement) \
  case __COUNTER__: { \
    statement; \
    break; \
  }

static void act(int number, int thread) {
  struct timespec limit = {1, 0};
  struct timeval now;
  pthread_t other;
  thrd_t third;
  void *result;
  char *old;
  int value = 0;
  switch (number) {
    OPERATION(pthread_mutex_lock(&normal))
    OPERATION(pthread_mutex_trylock(&normal))
    OPERATION(limit = soon(); pthread_mutex_timedlock(&normal, &limit))
    OPERATION(pthread_mutex_clocklock(&normal, CLOCK_MONOTONIC, &limit))
    OPERATION(if (!pthread_mutex_trylock(&normal)) pthread_mutex_unlock(&normal))
    OPERATION(pthread_mutex_lock(&recursive))
    OPERATION(pthread_mutex_unlock(&recursive))
    OPERATION(pthread_mutex_lock(&checking))
    OPERATION(pthread_mutex_unlock(&checking))
    OPERATION(pthread_mutex_init(&checking, 0))
    OPERATION(pthread_mutex_destroy(&checking))
    OPERATION(pthread_mutex_getprioceiling(&normal, &value))
    OPERATION(pthread_rwlock_rdlock(&rwlock))
    OPERATION(pthread_rwlock_wrlock(&rwlock))
    OPERATION(pthread_rwlock_tryrdlock(&rwlock))
    OPERATION(pthread_rwlock_trywrlock(&rwlock))
    OPERATION(pthread_rwlock_timedrdlock(&rwlock, &limit))
    OPERATION(limit = soon(); pthread_rwlock_timedwrlock(&rwlock, &limit))
    OPERATION(if (!pthread_rwlock_tryrdlock(&rwlock)) pthread_rwlock_unlock(&rwlock))
    OPERATION(if (!pthread_rwlock_trywrlock(&rwlock)) pthread_rwlock_unlock(&rwlock))
    OPERATION(pthread_spin_lock(&spin); pthread_spin_unlock(&spin))
    OPERATION(pthread_spin_trylock(&spin))
    OPERATION(pthread_barrier_wait(&barrier))
    OPERATION(pthread_mutex_lock(&normal); pthread_cond_wait(&condition, &normal); pthread_mutex_unlock(&normal))
    OPERATION(limit = soon(); pthread_mutex_lock(&normal); pthread_cond_timedwait(&condition, &normal, &limit);
              pthread_mutex_unlock(&normal))
    OPERATION(pthread_mutex_lock(&recursive); pthread_cond_clockwait(&condition, &recursive, CLOCK_MONOTONIC, &limit);
              pthread_mutex_unlock(&recursive))
    OPERATION(pthread_cond_signal(&condition))
    OPERATION(pthread_cond_broadcast(&condition))
    OPERATION(pthread_once(&once, nothing))
    OPERATION(sem_wait(&none))
    OPERATION(sem_trywait(&none))
    OPERATION(limit = soon(); sem_timedwait(&none, &limit))
    OPERATION(sem_clockwait(&one, CLOCK_MONOTONIC, &limit))
    OPERATION(sem_trywait(&one))
    OPERATION(sem_wait(&one))
    OPERATION(sem_post(&none))
    OPERATION(sem_post(&one))
    OPERATION(sem_getvalue(&none, &value); found = value)
    OPERATION(sem_getvalue(&one, &found))
    OPERATION(sem_init(&one, 0, 2))
    OPERATION(sem_close(sem_open("/a", O_CREAT, 0600, 1)))
    OPERATION(sem_open("/a", 0))
    OPERATION(sem_unlink("/a"))
    OPERATION(syscall(SYS_futex, &futex, FUTEX_WAIT_PRIVATE, 0, 0))
    OPERATION(syscall(SYS_futex, &futex, FUTEX_WAIT_PRIVATE, 0, &limit))
    OPERATION(value = syscall(SYS_futex, &futex, FUTEX_WAKE_PRIVATE, 1); found = value)
    OPERATION(syscall(SYS_futex, &futex, FUTEX_WAKE_PRIVATE, 1 << 30))
    OPERATION(syscall(SYS_futex, &futex, FUTEX_CMP_REQUEUE_PRIVATE, 1, 1, &word, 0))
    OPERATION(syscall(SYS_futex, &futex, FUTEX_WAIT_BITSET_PRIVATE, 0, 0, 0, 1))
    OPERATION(syscall(SYS_futex, &futex, FUTEX_WAKE_BITSET_PRIVATE, 1, 0, 0, 2))
    OPERATION(__atomic_store_n(&futex, 1, __ATOMIC_SEQ_CST))
    OPERATION(mtx_lock(&mtx))
    OPERATION(mtx_trylock(&mtx))
    OPERATION(if (mtx_timedlock(&mtx, &limit) == thrd_success) mtx_unlock(&mtx))
    OPERATION(mtx_lock(&mtx); cnd_wait(&cnd, &mtx); mtx_unlock(&mtx))
    OPERATION(limit = soon(); mtx_lock(&mtx); cnd_timedwait(&cnd, &mtx, &limit); mtx_unlock(&mtx))
    OPERATION(cnd_signal(&cnd))
    OPERATION(cnd_broadcast(&cnd))
    OPERATION(call_once(&flag, nothing))
    OPERATION(pthread_create(&other, 0, ends, 0); pthread_join(other, &result))
    OPERATION(pthread_create(&other, 0, ends, text); found = pthread_tryjoin_np(other, &result))
    OPERATION(limit = soon(); pthread_create(&other, 0, ends, 0); pthread_timedjoin_np(other, &result, &limit))
    OPERATION(pthread_create(&other, 0, ends, 0); pthread_detach(other))
    OPERATION(thrd_create(&third, ends_soon, 0); thrd_join(third, &value))
    OPERATION(thrd_create(&third, ends_soon, 0); thrd_detach(third))
    OPERATION(other = handles[(thread + 1) % THREADS]; found = other ? pthread_tryjoin_np(other, &result) : 0)
    OPERATION(other = handles[(thread + 1) % THREADS]; found = other ? pthread_kill(other, 0) : 0)
    OPERATION(pthread_setname_np(handles[0], "name"))
    OPERATION(pthread_getname_np(handles[0], copied, sizeof copied))
    OPERATION(pthread_setspecific(key, text); result = pthread_getspecific(key))
    OPERATION(tss_set(tss, text); result = tss_get(tss))
    OPERATION(pthread_key_create(&key, 0))
    OPERATION(pthread_key_delete(key))
    OPERATION(pthread_setconcurrency(2))
    OPERATION(found = pthread_getconcurrency())
    OPERATION(sched_yield())
    OPERATION(usleep(3))
    OPERATION(nanosleep(&limit, 0))
    OPERATION(clock_gettime(CLOCK_REALTIME, &limit); found = limit.tv_nsec)
    OPERATION(found = time(0))
    OPERATION(gettimeofday(&now, 0); found = now.tv_usec)
    OPERATION(found = rand())
    OPERATION(srand(3))
    OPERATION(found = random())
    OPERATION(found = lrand48())
    OPERATION(setenv("A", "b", 1))
    OPERATION(unsetenv("A"))
    OPERATION(found = getenv("A") != 0)
    OPERATION(memcpy(copied, text, 4))
    OPERATION(memset(text, 'a', 3))
    OPERATION(found = strlen(text))
    OPERATION(strcpy(copied, text))
    OPERATION(strcat(copied, "a"))
    OPERATION(found = strcmp(text, copied))
    OPERATION(found = atoi(text))
    OPERATION(snprintf(copied, sizeof copied, "%d %s", plain, text))
    OPERATION(found = sscanf(text, "%d", &plain))
    OPERATION(old = strtok(thread ? 0 : text, "b"); found = old != 0)
    OPERATION(qsort(text, 3, 1, ordered))
    OPERATION(block = malloc(24))
    OPERATION(block = realloc(block, 48))
    OPERATION(result = block; block = 0; free(result))
    OPERATION(puts("a"))
    OPERATION(printf("%s\n", text))
    OPERATION(fputs("b", stream))
    OPERATION(fflush(stream))
    OPERATION(flockfile(stream); putc_unlocked('a', stream); funlockfile(stream))
    OPERATION(if (!ftrylockfile(stream)) funlockfile(stream))
    OPERATION(found = ftell(stream))
    OPERATION(rewind(stream))
    OPERATION(found = fgetc(stream))
    OPERATION(write(pipes[1], "a", 1))
    OPERATION(read(pipes[0], copied, 1))
    OPERATION(found = getchar())
    OPERATION(atexit(nothing))
    OPERATION(plain = 2)
    OPERATION(found = plain)
    OPERATION(__atomic_store_n(&word, thread, __ATOMIC_RELEASE))
    OPERATION(found = __atomic_load_n(&word, __ATOMIC_ACQUIRE))
    OPERATION(__atomic_fetch_add(&word, 1, __ATOMIC_RELAXED))
    OPERATION(value = 0; __atomic_compare_exchange_n(&word, &value, 2, 1, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
    OPERATION(__atomic_thread_fence(__ATOMIC_SEQ_CST))
    OPERATION(__atomic_store_n(&word, 3, __ATOMIC_SEQ_CST))
  }
}

static void *does(void *argument) {
  int thread = (long)argument;
  for (int i = 0; i < OPERATIONS; i++)
    if (todo[thread][i] >= 0) act(todo[thread][i], thread);
  return 0;
}

int main(int argc, char **argv) {
  pthread_spin_init(&spin, 0);
  pthread_barrier_init(&barrier, 0, 2);
  pthread_key_create(&key, 0);
  tss_create(&tss, 0);
  sem_init(&none, 0, 0);
  sem_init(&one, 0, 1);
  mtx_init(&mtx, mtx_timed);
  cnd_init(&cnd);
  stream = tmpfile();
  pipe(pipes);
  block = malloc(8);
  for (int thread = 0; thread < THREADS; thread++)
    for (int i = 0; i < OPERATIONS; i++) {
      const char *given = thread + 1 < argc ? argv[thread + 1] : "";
      todo[thread][i] = -1;
      if (strlen(given) >= 3 * i + 3)
        todo[thread][i] = (given[3 * i] - '0') * 100 + (given[3 * i + 1] - '0') * 10 + given[3 * i + 2] - '0';
    }
  handles[0] = pthread_self();
  for (long thread = 1; thread < THREADS && thread + 1 < argc; thread++)
    pthread_create(&handles[thread], 0, does, (void *)thread);
  does(0);
  return 0;
}
