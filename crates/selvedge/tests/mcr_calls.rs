//! The strategies by maximal causality on programs with waits of all kinds: the same answers and views as the default.

use selvedge::drivers::Request;
use selvedge::run::prepare::prepare;
use selvedge_explore::{Bug, Finding, Options, Progress, Strategy, explore};
use selvedge_machine::{Config, Outcome};
use selvedge_trace::Model;

const HEAD: &str = r#"
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <limits.h>
#include <linux/futex.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static int x, y, z;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;
static pthread_barrier_t barrier;
static atomic_int word, owners;
static int *object;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static long wait(int value) { return syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, 0); }
static long wake(int count) { return syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, count); }
static void *one(void *), *two(void *), *three(void *);
static void prepare(void);
int main(void) {
    prepare();
    pthread_t a, b, c;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_create(&c, 0, three, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
"#;

/// Each with whether something is wrong with it.
const PROGRAMS: &[(&str, bool, &str)] = &[
    (
        "semaphore",
        false,
        "static void prepare(void) { sem_init(&semaphore, 0, 1); }
         static void *one(void *p) { sem_wait(&semaphore); x = x + 1; sem_post(&semaphore); return p; }
         static void *two(void *p) { sem_wait(&semaphore); x = 2 * x; sem_post(&semaphore); return p; }
         static void *three(void *p) { if (sem_trywait(&semaphore) == 0) { x = 5; sem_post(&semaphore); } return p; }",
    ),
    (
        "semaphore that is empty",
        true,
        "static void prepare(void) { sem_init(&semaphore, 0, 0); }
         static void *one(void *p) { sem_post(&semaphore); return p; }
         static void *two(void *p) { sem_wait(&semaphore); return p; }
         static void *three(void *p) { sem_trywait(&semaphore); return p; }",
    ),
    (
        "barrier",
        false,
        "static void prepare(void) { pthread_barrier_init(&barrier, 0, 3); }
         static void *one(void *p) { x = 1; pthread_barrier_wait(&barrier); assert(y == 1 && z == 1); return p; }
         static void *two(void *p) { y = 1; pthread_barrier_wait(&barrier); assert(x == 1 && z == 1); return p; }
         static void *three(void *p) { z = 1; if (pthread_barrier_wait(&barrier)) assert(x == 1); return p; }",
    ),
    (
        "barrier for more than there are",
        true,
        "static void prepare(void) { pthread_barrier_init(&barrier, 0, 2); }
         static void *one(void *p) { pthread_barrier_wait(&barrier); return p; }
         static void *two(void *p) { pthread_barrier_wait(&barrier); return p; }
         static void *three(void *p) { pthread_barrier_wait(&barrier); return p; }",
    ),
    (
        "readers and a writer",
        false,
        "static void prepare(void) {}
         static void *one(void *p) { pthread_rwlock_rdlock(&lock); assert(x == y); pthread_rwlock_unlock(&lock); return p; }
         static void *two(void *p) { pthread_rwlock_wrlock(&lock); x++; y++; pthread_rwlock_unlock(&lock); return p; }
         static void *three(void *p) {
             if (pthread_rwlock_tryrdlock(&lock) == 0) { assert(x == y); pthread_rwlock_unlock(&lock); }
             else if (pthread_rwlock_trywrlock(&lock) == 0) { x++; y++; pthread_rwlock_unlock(&lock); }
             return p;
         }",
    ),
    (
        "a reader that writes",
        true,
        "static void prepare(void) {}
         static void *one(void *p) { pthread_rwlock_rdlock(&lock); x++; pthread_rwlock_unlock(&lock); return p; }
         static void *two(void *p) { pthread_rwlock_rdlock(&lock); x++; pthread_rwlock_unlock(&lock); return p; }
         static void *three(void *p) { return p; }",
    ),
    (
        "a wait with a time limit",
        false,
        "static void prepare(void) {}
         static void *one(void *p) {
             struct timespec when = {0, 0};
             pthread_mutex_lock(&mutex);
             if (!x && pthread_cond_timedwait(&condition, &mutex, &when) == ETIMEDOUT) y = 1; else y = 2;
             pthread_mutex_unlock(&mutex);
             return p;
         }
         static void *two(void *p) {
             pthread_mutex_lock(&mutex); x = 1; pthread_cond_signal(&condition); pthread_mutex_unlock(&mutex); return p;
         }
         static void *three(void *p) { pthread_mutex_lock(&mutex); z = y; pthread_mutex_unlock(&mutex); return p; }",
    ),
    (
        "a lost signal",
        true,
        "static void prepare(void) {}
         static void *one(void *p) {
             pthread_mutex_lock(&mutex); pthread_cond_wait(&condition, &mutex); pthread_mutex_unlock(&mutex); return p;
         }
         static void *two(void *p) { pthread_cond_signal(&condition); return p; }
         static void *three(void *p) { pthread_mutex_lock(&mutex); pthread_mutex_unlock(&mutex); return p; }",
    ),
    (
        "a mutex that checks",
        false,
        "static void prepare(void) {
             pthread_mutexattr_t kind;
             pthread_mutexattr_init(&kind);
             pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
             pthread_mutex_init(&mutex, &kind);
         }
         static void *one(void *p) {
             pthread_mutex_lock(&mutex); assert(pthread_mutex_lock(&mutex) == EDEADLK); x++; pthread_mutex_unlock(&mutex);
             return p;
         }
         static void *two(void *p) { assert(pthread_mutex_unlock(&mutex) == EPERM); return p; }
         static void *three(void *p) { if (pthread_mutex_trylock(&mutex) == 0) { x++; pthread_mutex_unlock(&mutex); } return p; }",
    ),
    (
        "a futex",
        false,
        "static void prepare(void) {}
         static void *one(void *p) { while (!word) wait(0); assert(x == 1); return p; }
         static void *two(void *p) { x = 1; word = 1; wake(INT_MAX); return p; }
         static void *three(void *p) { if (!word) wait(0); assert(word); return p; }",
    ),
    (
        "a futex that wakes one of two",
        true,
        "static void prepare(void) {}
         static void *one(void *p) { wait(0); return p; }
         static void *two(void *p) { y = wake(1); return p; }
         static void *three(void *p) { if (wait(0) == 0) z = 1; return p; }",
    ),
    (
        "a futex with a time limit",
        false,
        "static void prepare(void) {}
         static void *one(void *p) {
             struct timespec long_enough = {1, 0};
             if (syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &long_enough) == -1) x = errno;
             return p;
         }
         static void *two(void *p) { word = 1; y = wake(1); return p; }
         static void *three(void *p) { return p; }",
    ),
    (
        "done once",
        false,
        "static void prepare(void) {}
         static void initialise(void) { x++; }
         static void *one(void *p) { pthread_once(&once, initialise); assert(x == 1); return p; }
         static void *two(void *p) { pthread_once(&once, initialise); assert(x == 1); return p; }
         static void *three(void *p) { y = 1; pthread_once(&once, initialise); return p; }",
    ),
    (
        "done once under a lock",
        true,
        "static void prepare(void) {}
         static void initialise(void) { pthread_mutex_lock(&mutex); x++; pthread_mutex_unlock(&mutex); }
         static void *one(void *p) {
             pthread_mutex_lock(&mutex); pthread_once(&once, initialise); pthread_mutex_unlock(&mutex); return p;
         }
         static void *two(void *p) { pthread_once(&once, initialise); return p; }
         static void *three(void *p) { return p; }",
    ),
    (
        "freed by the last owner",
        false,
        "static void prepare(void) { object = malloc(4); *object = 5; owners = 3; }
         static void leave(void) { if (atomic_fetch_sub(&owners, 1) == 1) free(object); }
         static void *one(void *p) { assert(*object == 5); leave(); return p; }
         static void *two(void *p) { assert(*object == 5); leave(); return p; }
         static void *three(void *p) { leave(); return p; }",
    ),
    (
        "freed by the first owner",
        true,
        "static void prepare(void) { object = malloc(4); *object = 5; owners = 2; }
         static void leave(void) { if (atomic_fetch_sub(&owners, 1) == 2) free(object); }
         static void *one(void *p) { __atomic_load_n(object, __ATOMIC_SEQ_CST); leave(); return p; }
         static void *two(void *p) { __atomic_load_n(object, __ATOMIC_SEQ_CST); leave(); return p; }
         static void *three(void *p) { return p; }",
    ),
    (
        "freed while somebody stores",
        true,
        "static void prepare(void) { object = malloc(4); *object = 5; }
         static void *one(void *p) { __atomic_store_n(object, 6, __ATOMIC_SEQ_CST); return p; }
         static void *two(void *p) { if (atomic_load(&word)) free(object); return p; }
         static void *three(void *p) { atomic_store(&word, 1); return p; }",
    ),
];

#[test]
fn programs_that_wait() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, wrong, text) in PROGRAMS {
        let source = folder.path().join("program.c");
        std::fs::write(&source, format!("{HEAD}{text}")).expect("the file can be written");
        let request = Request { inputs: vec![source], ..Request::default() };
        let prepared = prepare(&request).unwrap_or_else(|error| panic!("{error}"));
        for model in [Model::Sc, Model::Tso] {
            let report = |strategy| {
                let options = Options { strategy, count_views: true, keep_going: true, ..Options::default() };
                let config = Config { model, ..Config::default() };
                let report = explore(prepared.program.clone(), config, &options, &Progress::default());
                assert!(report.unfinished.is_empty(), "{name} {}: {:?}", strategy.name(), report.unfinished);
                report
            };
            let expected = report(Strategy::Auto);
            assert_eq!(!expected.findings.is_empty(), *wrong, "{name} {model:?}");
            for strategy in [Strategy::Mcr, Strategy::McrS, Strategy::SeMcr, Strategy::Viequi] {
                let found = report(strategy);
                let name = format!("{name} {model:?} {}", strategy.name());
                assert_eq!(found.findings.is_empty(), expected.findings.is_empty(), "{name}");
                // How far the others have come when something fails depends on the order of exploration.
                let fails = |finding: &Finding| matches!(finding.bug, Bug::Ends(Outcome::Violation { .. }));
                if !expected.findings.iter().any(fails) {
                    assert_eq!(found.classes, expected.classes, "{name}");
                }
            }
        }
    }
}
