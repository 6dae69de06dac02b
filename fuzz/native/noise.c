// Loaded into a program before its libraries: runs its main many times, each in a process of its own, with random delays
// at synchronisation and wherever the program calls selvedge_noise, and says how each ended.
//
// In the environment: SELVEDGE_NOISE_RUNS, SELVEDGE_NOISE_SEED, SELVEDGE_NOISE_MILLISECONDS (longer is a hang),
// SELVEDGE_NOISE_REPORT (a file: one line for each run, how it ended and what it printed).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define OUTPUT 4096

static uint64_t run_seed;
static unsigned busy_most, sleep_one_in;
static int noisy;
static uint64_t threads;
static __thread uint64_t state;

static uint64_t mixed(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

static uint64_t draw(void) {
  if (!state) state = mixed(run_seed + 0x9e3779b97f4a7c15 * (1 + __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED))) | 1;
  return mixed(state += 0x9e3779b97f4a7c15);
}

static void sleep_for(long nanoseconds) {
  struct timespec time = {0, nanoseconds};
  nanosleep(&time, 0);
}

// A delay: mostly none, sometimes a few rounds, a yield, or a sleep that lets everybody else run.
void selvedge_noise(void) {
  if (!noisy) return;
  int kept = errno;
  uint64_t drawn = draw();
  if (drawn % sleep_one_in == 0) {
    sleep_for((drawn >> 32) % 3 ? 20000 + (drawn >> 40) % 60000 : 200000 + (drawn >> 40) % 300000);
  } else if (drawn % 3 == 0) {
    sched_yield();
  } else if (drawn % 3 == 1) {
    for (volatile unsigned rounds = (drawn >> 32) % busy_most; rounds; rounds--) ;
  }
  errno = kept;
}

#define NEXT(name) \
  static __typeof__(&name) next; \
  if (!next) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

#define AROUND(name, parameters, arguments) \
  int name parameters { NEXT(name); selvedge_noise(); int result = next arguments; selvedge_noise(); return result; }

AROUND(pthread_mutex_lock, (pthread_mutex_t *m), (m))
AROUND(pthread_mutex_trylock, (pthread_mutex_t *m), (m))
AROUND(pthread_mutex_timedlock, (pthread_mutex_t *m, const struct timespec *t), (m, t))
AROUND(pthread_mutex_unlock, (pthread_mutex_t *m), (m))
AROUND(pthread_rwlock_rdlock, (pthread_rwlock_t *l), (l))
AROUND(pthread_rwlock_wrlock, (pthread_rwlock_t *l), (l))
AROUND(pthread_rwlock_tryrdlock, (pthread_rwlock_t *l), (l))
AROUND(pthread_rwlock_trywrlock, (pthread_rwlock_t *l), (l))
AROUND(pthread_rwlock_unlock, (pthread_rwlock_t *l), (l))
AROUND(pthread_spin_lock, (pthread_spinlock_t *l), (l))
AROUND(pthread_spin_trylock, (pthread_spinlock_t *l), (l))
AROUND(pthread_spin_unlock, (pthread_spinlock_t *l), (l))
AROUND(pthread_cond_signal, (pthread_cond_t *c), (c))
AROUND(pthread_cond_broadcast, (pthread_cond_t *c), (c))
AROUND(pthread_cond_wait, (pthread_cond_t *c, pthread_mutex_t *m), (c, m))
AROUND(pthread_cond_timedwait, (pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *t), (c, m, t))
AROUND(pthread_barrier_wait, (pthread_barrier_t *b), (b))
AROUND(pthread_join, (pthread_t t, void **v), (t, v))
AROUND(pthread_detach, (pthread_t t), (t))
AROUND(sem_post, (sem_t *s), (s))
AROUND(sem_wait, (sem_t *s), (s))
AROUND(sem_trywait, (sem_t *s), (s))
AROUND(sem_timedwait, (sem_t *s, const struct timespec *t), (s, t))

struct start { void *(*function)(void *); void *argument; };

static void *begin(void *given) {
  struct start start = *(struct start *)given;
  free(given);
  selvedge_noise();
  void *result = start.function(start.argument);
  selvedge_noise();
  return result;
}

int pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*function)(void *), void *argument) {
  NEXT(pthread_create);
  selvedge_noise();
  struct start *start = malloc(sizeof *start);
  *start = (struct start){function, argument};
  int result = next(t, a, begin, start);
  if (result) free(start);
  selvedge_noise();
  return result;
}

// How the program is run once: pinned or not, with much noise or little.
static void prepare(uint64_t seed) {
  run_seed = mixed(seed);
  uint64_t drawn = mixed(seed + 1);
  cpu_set_t allowed, chosen;
  if (!sched_getaffinity(0, sizeof allowed, &allowed) && CPU_COUNT(&allowed) > 1 && drawn % 3 == 0) {
    int skip = (drawn >> 8) % CPU_COUNT(&allowed);
    CPU_ZERO(&chosen);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
      if (CPU_ISSET(cpu, &allowed) && !skip--) CPU_SET(cpu, &chosen);
    sched_setaffinity(0, sizeof chosen, &chosen);
  }
  busy_most = 1 + ((drawn >> 16) % 4 ? 200 : 5000);
  sleep_one_in = (unsigned[]){2, 4, 8, 16, 64}[(drawn >> 24) % 5];
  noisy = (drawn >> 32) % 8 != 0;
}

static void escape(FILE *report, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '\n') fputs("\\n", report);
    else if (text[i] == '\\') fputs("\\\\", report);
    else fputc(text[i], report);
  }
}

// Waits for the end of a run; what it prints is kept as far as there is room.
static int watch(pid_t child, int from, long milliseconds, FILE *report) {
  char text[OUTPUT];
  size_t length = 0;
  struct timespec begun, now;
  clock_gettime(CLOCK_MONOTONIC, &begun);
  int status = 0, hung = 0;
  for (;;) {
    struct pollfd ready = {from, POLLIN, 0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    long left = milliseconds - ((now.tv_sec - begun.tv_sec) * 1000 + (now.tv_nsec - begun.tv_nsec) / 1000000);
    if (left <= 0 || poll(&ready, 1, left) == 0) {
      hung = 1;
      break;
    }
    char more[512];
    ssize_t got = read(from, more, sizeof more);
    if (got <= 0) break;
    size_t room = OUTPUT - length, kept = (size_t)got < room ? (size_t)got : room;
    memcpy(text + length, more, kept);
    length += kept;
  }
  if (hung) kill(child, SIGKILL);
  waitpid(child, &status, 0);
  if (hung) fputs("hang ", report);
  else if (WIFSIGNALED(status)) fprintf(report, "signal %d ", WTERMSIG(status));
  else fprintf(report, "exit %d ", WEXITSTATUS(status));
  escape(report, text, length);
  fputc('\n', report);
  return hung;
}

static int (*program)(int, char **, char **);

static long number(const char *name, long otherwise) {
  const char *text = getenv(name);
  return text ? strtol(text, 0, 10) : otherwise;
}

static int many(int argc, char **argv, char **environment) {
  const char *path = getenv("SELVEDGE_NOISE_REPORT");
  FILE *report = path ? fopen(path, "we") : 0;
  if (!report) return program(argc, argv, environment);
  long runs = number("SELVEDGE_NOISE_RUNS", 100), patience = number("SELVEDGE_NOISE_MILLISECONDS", 2000);
  uint64_t seed = (uint64_t)number("SELVEDGE_NOISE_SEED", 1);
  long hangs = 0;
  for (long run = 0; run < runs && hangs < 3; run++) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC)) return 99;
    fflush(0);
    pid_t child = fork();
    if (child < 0) return 99;
    if (!child) {
      dup2(ends[1], 1);
      int nowhere = open("/dev/null", O_WRONLY);
      dup2(nowhere, 2);
      close(ends[1]);
      unsetenv("SELVEDGE_NOISE_REPORT");
      prepare(seed * 1000003 + run);
      exit(program(argc, argv, environment));
    }
    close(ends[1]);
    hangs += watch(child, ends[0], patience, report);
    fflush(report);
    close(ends[0]);
  }
  fclose(report);
  _exit(0);
}

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end) {
  static int (*next)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
  next = (__typeof__(next))dlsym(RTLD_NEXT, "__libc_start_main");
  program = main;
  return next(many, argc, argv, init, fini, rtld_fini, stack_end);
}
