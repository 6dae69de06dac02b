//! Limits are promises: an answer comes in time, whatever a search is doing, and it does not take more than it may.

use super::cli::{Ended, Place};
use std::io::Read;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// An answer may be so late on a machine that does much else.
const LATE: Duration = Duration::from_secs(6);

/// Threads that add to a counter again and again: too many states to be through with.
const MANY_STATES: &str = "#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y;\n\
    void *f(void *p) { for (int i = 0; i < 200; i++) { atomic_fetch_add(&x, i); atomic_store(&y, x + i); } return p; }\n\
    int main(void) { pthread_t t[6]; for (int i = 0; i < 6; i++) pthread_create(&t[i], 0, f, 0);\n\
    for (int i = 0; i < 6; i++) pthread_join(t[i], 0); }\n";

/// A thread computes for a very long time between two accesses.
const LONG_LOOP: &str = "#include <pthread.h>\n#include <stdatomic.h>\natomic_ulong n;\n\
    void *f(void *p) { unsigned long s = 1; for (unsigned long i = 0; i < 1ul << 50; i++) s = s * 5 + i; n = s; return p; }\n\
    int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); n = 1; pthread_join(t, 0); }\n";

/// Threads without end.
const THREADS: &str = "#include <pthread.h>\nvoid *f(void *p) { return p; }\n\
    int main(void) { pthread_t t; while (1) pthread_create(&t, 0, f, 0); }\n";

/// As many threads as an input says.
const INPUT_THREADS: &str = "#include <pthread.h>\nextern int __VERIFIER_nondet_int(void);\n\
    extern void __VERIFIER_assume(int);\nint d;\nvoid *f(void *p) { d = 1; return p; }\n\
    int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0);\n\
    for (int i = 0; i < n; i++) { pthread_t t; pthread_create(&t, 0, f, 0); } }\n";

/// Long records of threads with inputs: large formulas.
const RECORDS: &str = "#include <pthread.h>\n#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n\
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nint a[700], top;\n\
    void *put(void *u) { for (int i = 0; i < 700; i++) { pthread_mutex_lock(&m); a[top] = __VERIFIER_nondet_int(); top++; pthread_mutex_unlock(&m); } return 0; }\n\
    void *take(void *u) { for (int i = 0; i < 700; i++) { pthread_mutex_lock(&m); if (top > 0) top--; pthread_mutex_unlock(&m); } return 0; }\n\
    int main(void) { pthread_t t, u; pthread_create(&t, 0, put, 0); pthread_create(&u, 0, take, 0);\n\
    pthread_join(t, 0); pthread_join(u, 0); assert(top >= 0); }\n";

const PROGRAMS: &[(&str, &str)] = &[
    ("states.c", MANY_STATES),
    ("loop.c", LONG_LOOP),
    ("threads.c", THREADS),
    ("inputs.c", INPUT_THREADS),
    ("records.c", RECORDS),
];

/// Programs with the options with which they are checked: none of these searches comes to its end.
const SEARCHES: &[(&str, &str)] = &[
    ("states.c", ""),
    ("states.c", "--model sc"),
    ("states.c", "--model tso --strategy states"),
    ("states.c", "--model sc --strategy optimal"),
    ("states.c", "--model pso --strategy dpor"),
    ("states.c", "--model sc --strategy se-mcr"),
    ("states.c", "--model sc --strategy viequi"),
    ("states.c", "--model sc --strategy icb"),
    ("states.c", "--model rc11 --strategy optimal"),
    ("loop.c", ""),
    ("loop.c", "--model sc --strategy optimal"),
    ("threads.c", ""),
    ("threads.c", "--model sc --strategy states"),
    ("inputs.c", ""),
    ("records.c", ""),
];

fn words<'a>(program: &'a str, options: &'a str) -> Vec<&'a str> {
    let mut words = vec!["check", program, "--no-schedule"];
    words.extend(options.split_whitespace());
    words
}

fn is_answer(ended: &Ended) -> bool {
    [0, 1, 3].contains(&ended.code) && !ended.stdout.is_empty()
}

#[test]
fn the_limit_of_time_holds_everywhere() {
    let place = Place::new(PROGRAMS);
    for &(program, options) in SEARCHES {
        let begun = Instant::now();
        let mut words = words(program, options);
        words.extend(["--max-time", "1"]);
        let ended = place.run(&words);
        let took = begun.elapsed();
        assert!(is_answer(&ended), "{words:?}: {} {}", ended.code, ended.stderr);
        assert!(took < Duration::from_secs(2) + LATE, "{words:?} took {took:?}");
    }
}

fn ended(mut child: Child) -> Ended {
    let (mut stdout, mut stderr) = (String::new(), String::new());
    if let Some(mut stream) = child.stdout.take() {
        let _ = stream.read_to_string(&mut stdout);
    }
    if let Some(mut stream) = child.stderr.take() {
        let _ = stream.read_to_string(&mut stderr);
    }
    Ended { code: child.wait().ok().and_then(|status| status.code()).unwrap_or(-1), stdout, stderr }
}

#[test]
fn an_interrupted_check_answers_at_once() {
    let place = Place::new(PROGRAMS);
    // Other moments with every run, and the same where a run is repeated.
    let seed: u64 = std::env::var("SEED")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(u64::from(std::process::id()));
    let mut random = seed;
    for &(program, options) in SEARCHES {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let moment = Duration::from_millis((random >> 33) % 2_000);
        let words = words(program, options);
        let mut command = place.command(&words);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("selvedge");
        std::thread::sleep(moment);
        let process = libc::pid_t::try_from(child.id()).expect("a small number");
        // SAFETY: our own child, which has not been waited for.
        unsafe { libc::kill(process, libc::SIGINT) };
        let begun = Instant::now();
        let ended = ended(child);
        let took = begun.elapsed();
        let told = format!("{words:?} interrupted after {moment:?}, SEED={seed}");
        // Before the search, and before the signal is listened to, the process only ends.
        assert!(
            is_answer(&ended) || [130, -1].contains(&ended.code),
            "{told}: {} {}",
            ended.code,
            ended.stderr
        );
        assert!(took < Duration::from_secs(1) + LATE, "{told} took {took:?}");
    }
}

/// The most memory that a process has had, in bytes; nothing if it is gone.
fn peak(process: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

#[test]
fn the_limit_of_memory_holds_everywhere() {
    let place = Place::new(PROGRAMS);
    for (program, options) in
        [("records.c", ""), ("states.c", "--model sc"), ("states.c", "--model sc --strategy optimal")]
    {
        // What the process has before it searches does not count.
        let (most, base) = (60 << 20, 160 << 20);
        let mut words = words(program, options);
        words.extend(["--max-memory", "60M", "--max-time", "20"]);
        let mut command = place.command(&words);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("selvedge");
        let (process, mut highest) = (child.id(), 0);
        while let Some(peak) = peak(process) {
            highest = highest.max(peak);
            std::thread::sleep(Duration::from_millis(5));
        }
        let ended = ended(child);
        assert!(is_answer(&ended), "{words:?}: {} {}", ended.code, ended.stderr);
        assert!(highest < base + most + most / 4, "{words:?} took {} MB", highest >> 20);
    }
}
