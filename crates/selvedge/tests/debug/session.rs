//! What the debugger shows is the recorded execution: forwards, backwards, and forwards again.

use selvedge::debug::{Session, Step, Stop};
use selvedge::drivers::Request;
use selvedge::run::prepare::prepare_to_debug;
use selvedge_machine::EndProperties;
use selvedge_trace::read_schedule;

use crate::cli::Place;

const WEAK: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\natomic_int data, flag;\n\
                    void *writer(void *p) {\n  atomic_store_explicit(&data, 42, memory_order_relaxed);\n  \
                    atomic_store_explicit(&flag, 1, memory_order_relaxed);\n  return p;\n}\nint main(void) {\n  \
                    pthread_t t;\n  pthread_create(&t, 0, writer, 0);\n  \
                    int seen = atomic_load_explicit(&flag, memory_order_relaxed);\n  \
                    int value = atomic_load_explicit(&data, memory_order_relaxed);\n  \
                    if (seen) assert(value == 42);\n  pthread_join(t, 0);\n}\n";

const BUFFERED: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y;\nint a, b;\n\
                        void *one(void *p) {\n  atomic_store_explicit(&x, 1, memory_order_relaxed);\n  \
                        a = atomic_load_explicit(&y, memory_order_relaxed);\n  return p;\n}\nint main(void) {\n  \
                        pthread_t t;\n  pthread_create(&t, 0, one, 0);\n  \
                        atomic_store_explicit(&y, 1, memory_order_relaxed);\n  \
                        b = atomic_load_explicit(&x, memory_order_relaxed);\n  pthread_join(t, 0);\n  \
                        assert(a || b);\n}\n";

const LOOPS: &str = "#include <assert.h>\n#include <pthread.h>\nint total;\npthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\n\
                     int twice(int n) { return n < 1 ? 0 : 2 + twice(n - 1); }\nvoid *work(void *p) {\n  \
                     for (int i = 0; i < 3; i++) {\n    int sum = twice(20);\n    pthread_mutex_lock(&lock);\n    \
                     int before = total;\n    pthread_mutex_unlock(&lock);\n    pthread_mutex_lock(&lock);\n    \
                     total = before + sum;\n    pthread_mutex_unlock(&lock);\n  }\n  return p;\n}\nint main(void) {\n  \
                     pthread_t t;\n  pthread_create(&t, 0, work, 0);\n  work(0);\n  pthread_join(t, 0);\n  \
                     assert(total == 240);\n}\n";

const RUST: &str = "use std::sync::{Arc, Mutex};\n\
                    enum State { Open, Frozen(u32) }\nstruct Account { balance: i64, owner: String, state: State }\n\
                    fn withdraw(account: &Mutex<Account>, amount: i64) {\n    \
                    let enough = account.lock().unwrap().balance >= amount;\n    if enough {\n        \
                    let mut guard = account.lock().unwrap();\n        guard.balance -= amount;\n        \
                    guard.state = State::Frozen(7);\n    }\n}\nfn main() {\n    \
                    let account = Account { balance: 100, owner: \"joint\".to_string(), state: State::Open };\n    \
                    let account = Arc::new(Mutex::new(account));\n    let other = account.clone();\n    \
                    let thread = std::thread::spawn(move || withdraw(&other, 70));\n    withdraw(&account, 50);\n    \
                    thread.join().unwrap();\n    let end = account.lock().unwrap();\n    \
                    assert!(end.balance >= 0 && matches!(end.state, State::Frozen(_)), \"{}\", end.owner);\n}\n";

fn session(place: &Place, file: &str, options: &[&str]) -> Session {
    let checked = place.run(&[&["check", file, "--quiet", "--save-schedule", "s.json"], options].concat());
    assert_eq!(checked.code, 1, "{}{}", checked.stdout, checked.stderr);
    let program = Some(env!("CARGO_BIN_EXE_selvedge").into());
    let request = Request { inputs: vec![place.path(file)], program, ..Request::default() };
    let (kept, plain) = prepare_to_debug(&request).unwrap_or_else(|error| panic!("{error}"));
    let schedule = read_schedule(&place.path("s.json")).expect("a schedule");
    Session::new(&kept, &plain, schedule, EndProperties::default()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_session_is_the_recorded_execution() {
    for (file, text, options) in [
        ("weak.c", WEAK, &[][..]),
        ("buffered.c", BUFFERED, &["--model", "tso"]),
        ("buffered.c", BUFFERED, &["--model", "pso"]),
        ("loops.c", LOOPS, &[]),
        ("account.rs", RUST, &[]),
    ] {
        let place = Place::new(&[(file, text)]);
        let mut session = session(&place, file, options);
        let begin = session.timeline.machine().inspect().digest();
        assert_eq!(session.forwards(Step::Run), Stop::End, "{file}");
        let expected = session.digest;
        let digest = |session: &Session| session.timeline.machine().inspect().digest();
        assert_eq!(digest(&session), expected, "{file} {options:?}: other things happen");
        assert!(session.failure().is_some(), "{file}");
        // Back by lines, as far as that goes, and then over all of it again.
        let thread = session.thread;
        for _ in 0..3 {
            session.backwards(Step::Over(thread));
        }
        assert_eq!(session.backwards(Step::Run), Stop::Beginning, "{file}");
        assert_eq!(digest(&session), begin, "{file}: the beginning is another one");
        let mut steps = 0;
        while session.forwards(Step::Event) == Stop::Step {
            steps += 1;
        }
        assert!(steps > 3, "{file}: {steps} steps");
        assert_eq!(digest(&session), expected, "{file} {options:?}: other things happen step by step");
    }
}

#[test]
fn going_back_ends_where_going_forwards_was() {
    let place = Place::new(&[("loops.c", LOOPS)]);
    let mut session = session(&place, "loops.c", &[]);
    let mut moments = vec![session.timeline.now()];
    // Into every call of one thread: more operations than lie between two states that are kept.
    while session.forwards(Step::Into(0)) == Stop::Step && moments.len() < 400 {
        moments.push(session.timeline.now());
    }
    assert!(moments.len() > 100, "{} lines", moments.len());
    let file = session.lines.file(&session.timeline.machine().inspect().program().clone(), "loops.c");
    session.set_breakpoints(file, &[13]);
    session.restart();
    let mut hits = Vec::new();
    while matches!(session.forwards(Step::Run), Stop::Breakpoint(_)) {
        hits.push(session.timeline.now());
    }
    assert_eq!(hits.len(), 6, "three rounds of each thread");
    for expected in hits.iter().rev() {
        assert!(matches!(session.backwards(Step::Run), Stop::Breakpoint(_)));
        assert_eq!(session.timeline.now(), *expected);
    }
    assert_eq!(session.backwards(Step::Run), Stop::Beginning);
}

#[test]
fn values_have_their_types() {
    // Named unlike the other one: while rustc works, it has files of that name in the working directory.
    let place = Place::new(&[("values.rs", RUST)]);
    let mut session = session(&place, "values.rs", &[]);
    let file = session.lines.file(&session.timeline.machine().inspect().program().clone(), "values.rs");
    let set = session.set_breakpoints(file, &[10]);
    assert_eq!(set[0].line, Some(10));
    assert!(matches!(session.forwards(Step::Run), Stop::Breakpoint(_)));
    let thread = session.thread;
    let value = |session: &mut Session, expression: &str| session.evaluate(thread, 0, expression);
    assert_eq!(value(&mut session, "enough"), Ok("true".to_owned()));
    assert_eq!(value(&mut session, "account.data.value.owner"), Ok("\"joint\"".to_owned()));
    assert_eq!(value(&mut session, "account.data.value.state"), Ok("Frozen {__0: 7}".to_owned()));
    assert!(value(&mut session, "account.nothing").is_err_and(|why| why.contains("no member `nothing`")));
}
