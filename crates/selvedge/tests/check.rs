//! `selvedge check` as people and programs use it.

use super::cli::{HELLO, Place, names, one_paragraph};
use super::common;
use expect_test::expect;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

const RACE: &str = "#include <pthread.h>\nint x;\nvoid *f(void *p) { x = 1; return p; }\nint main(void) {\n  \
                    pthread_t t;\n  pthread_create(&t, 0, f, 0);\n  int y = x;\n  pthread_join(t, 0);\n  \
                    return y;\n}\n";

const DEADLOCK: &str = "#include <pthread.h>\n\
    pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;\n\
    void *f(void *p) {\n  pthread_mutex_lock(&b);\n  pthread_mutex_lock(&a);\n  pthread_mutex_unlock(&a);\n  \
    pthread_mutex_unlock(&b);\n  return p;\n}\n\
    int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, f, 0);\n  pthread_mutex_lock(&a);\n  \
    pthread_mutex_lock(&b);\n  pthread_mutex_unlock(&b);\n  pthread_mutex_unlock(&a);\n  \
    pthread_join(t, 0);\n  return 0;\n}\n";

/// Two races and a failing assertion.
const MANY: &str = "#include <assert.h>\n#include <pthread.h>\nint x, y;\n\
    void *f(void *p) {\n  x++;\n  y++;\n  return p;\n}\n\
    int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, f, 0);\n  x++;\n  y++;\n  pthread_join(t, 0);\n  \
    assert(x + y == 4);\n  return 0;\n}\n";

/// Two threads that count without end: there are more states than any search can explore.
const ENDLESS: &str = "#include <stdatomic.h>\n#include <pthread.h>\natomic_long n;\n\
    void *f(void *p) { for (;;) n += 2; return p; }\n\
    int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, f, 0);\n  for (;;) n += 3;\n}\n";

/// Waits for ever for a thread that does not do what it should.
const WAITING: &str = "#include <stdatomic.h>\n#include <pthread.h>\natomic_int up;\n\
    void *f(void *p) { return p; }\n\
    int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, f, 0);\n  while (!up)\n    ;\n}\n";

/// The report without how long it took and how much was looked at.
fn steady(text: &str) -> String {
    let line = |line: &str| match common::counts_at(line) {
        Some(at) => format!("{}(counts)", &line[..at]),
        None => line.to_owned(),
    };
    text.lines().map(|text| line(text) + "\n").collect()
}

#[test]
fn wrong_options() {
    let place = Place::new(&[("a.c", HELLO)]);
    let refused = |words: &[&str], says: &str| {
        let text = place.refused(&[&["check", "a.c"][..], words].concat());
        assert!(text.contains(says), "{words:?}: {text}");
    };
    refused(
        &["--strategy", "magic"],
        "there is no such strategy; there are auto, states, dpor, optimal, icb, pct, random, mcr, mcr-s, mcr-s+, se-mcr, viequi and mpc",
    );
    refused(&["--cross-check", "magic"], "there is no such strategy");
    refused(&["--cross-check", "auto"], "both are `auto`. Name another one");
    refused(&["--model", "arm"], "tso");
    refused(&["--no-races", "--model", "rc11"], "--no-races has no meaning under rc11");
    refused(&["--no-races", "--model", "mca"], "--no-races has no meaning under mca");
    refused(&["--jobs", "0"], "not a number of threads");
    refused(&["--jobs", "many"], "not a number of threads");
    refused(&["--max-time=-1"], "not a number of seconds");
    refused(&["--max-time", "soon"], "not a number of seconds");
    refused(&["--max-memory", "2"], "sizes look like 500M or 2G");
    refused(&["--max-memory", "lots"], "sizes look like 500M or 2G");
    refused(&["--max-executions", "few"], "few");
    refused(&["--unroll", "0"], "not a whole number from 1 on");
    refused(&["--preemptions", "none"], "none");
    refused(&["--format", "xml"], "json");
    refused(&["--no-schedule", "--save-schedule", "s"], "cannot be used with");
    refused(&["--seed", "1"], "--seed");
    refused(&["--keep-goin"], "--keep-going");
    refused(&["--cflags", "\"open"], "quote");
}

#[test]
fn wrong_inputs() {
    let place =
        Place::new(&[("a.c", "int f(void) { return 1; }\n"), ("bad.c", "int main(void) { return 0 }\n")]);
    one_paragraph(&place.refused(&["check", "gone.c"]), "`gone.c` does not exist. Check the spelling");
    one_paragraph(&place.refused(&["check", "a.c"]), "no `main` function");
    one_paragraph(&place.refused(&["check", "."]), "holds neither Cargo.toml nor compile_commands.json");
    assert!(place.refused(&["check", "bad.c"]).contains("bad.c:1:26: error: expected ';'"));
    assert!(place.refused(&["check"]).contains("INPUT"));
    one_paragraph(&place.refused(&["check", "gone.c", "--format", "json"]), "does not exist");
}

#[test]
fn a_program_that_is_verified() {
    let place = Place::new(&[("a.c", HELLO)]);
    let ended = place.run(&["check", "a.c"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
    expect![[r#"
        verified: no schedule breaks the program
          under the language's memory model (rc11), without bounds
          (counts)
    "#]]
    .assert_eq(&steady(&ended.stdout).lines().take(3).map(|line| format!("{line}\n")).collect::<String>());
    assert_eq!(place.files(), ["a.c"]);
    assert_eq!(names(place.temporary.path()), [""; 0]);
}

#[test]
fn a_data_race() {
    let place = Place::new(&[("race.c", RACE)]);
    let ended = place.run(&["check", "race.c"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (1, ""));
    expect![[r#"
        violation: data race
          `x` is written by main.1 at race.c:3 and read by main at race.c:7, and nothing orders them

                    main                                         main.1
          race.c:6  creates main.1
          race.c:3                                               writes x
        > race.c:7  reads x

          It takes no weak memory: the accesses race in a sequentially consistent execution
          found under the language's memory model (rc11), without bounds: (counts)
          replay: selvedge run race.c --schedule race.schedule.json
    "#]]
    .assert_eq(&steady(&ended.stdout));
    let again = place.run(&["run", "race.c", "--schedule", "race.schedule.json"]);
    assert_eq!((again.code, again.stdout.as_str()), (1, ""));
    expect![[r#"
        violation: data race
          `x` is written by main.1 at race.c:3 and read by main at race.c:7, and nothing orders them
          replay: selvedge run race.c --schedule race.schedule.json
    "#]]
    .assert_eq(&again.stderr);
    // What is replayed can be recorded again, with what it shows.
    let saved = place.run(&["run", "race.c", "--schedule", "race.schedule.json", "--save-schedule", "again"]);
    assert_eq!(saved.code, 1);
    let read = |name| std::fs::read_to_string(place.path(name)).expect("a schedule");
    assert_eq!(read("race.schedule.json"), read("again"));
    // A file that claims something else is refused.
    let text = read("again").replace("\"main.1\"\n    ]", "\"main.7\"\n    ]");
    std::fs::write(place.path("again"), text).expect("a file");
    let text = place.refused(&["run", "race.c", "--schedule", "again"]);
    one_paragraph(&text, "what the file says about its end is not there");
}

#[test]
fn a_deadlock() {
    let place = Place::new(&[("locks.c", DEADLOCK)]);
    let ended = place.run(&["check", "locks.c"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (1, ""));
    expect![[r#"
        violation: deadlock
          no thread can go on
          main waits to lock mutex b, which main.1 has, at locks.c:14:3 in main
          main.1 waits to lock mutex a, which main has, at locks.c:5:3 in f
          they wait in a circle: main -> main.1 -> main

                      main                                        main.1
          locks.c:12  creates main.1
          locks.c:13  locks a
          locks.c:4                                               locks b
          locks.c:14  waits to lock mutex b
        > locks.c:5                                               waits to lock mutex a

          It takes no weak memory: sequential consistency shows it too
          found under the language's memory model (rc11), without bounds: (counts)
          replay: selvedge run locks.c --schedule locks.schedule.json
    "#]]
    .assert_eq(&steady(&ended.stdout));
    let again = place.run(&["run", "locks.c", "--schedule", "locks.schedule.json"]);
    assert_eq!(again.code, 1);
    assert!(again.stderr.contains("they wait in a circle: main -> main.1 -> main"), "{}", again.stderr);
}

#[test]
fn a_thread_that_never_ends() {
    let program = "#include <pthread.h>\nvoid *f(void *p) { for (;;) {} return p; }\nint main(void) {\n  \
                   pthread_t t;\n  pthread_create(&t, 0, f, 0);\n  pthread_join(t, 0);\n}\n";
    let place = Place::new(&[("loop.c", program)]);
    let ended = place.run(&["check", "loop.c"]);
    assert_eq!(ended.code, 1, "{}", ended.stdout);
    assert!(ended.stdout.starts_with("violation: the program may never end\n"), "{}", ended.stdout);
    assert!(ended.stdout.contains("main.1 goes round at loop.c:2:"), "{}", ended.stdout);
    let again = place.run(&["run", "loop.c", "--schedule", "loop.schedule.json"]);
    assert_eq!(again.code, 1, "{}", again.stderr);
    assert!(again.stderr.contains("main.1 goes round at loop.c:2:"), "{}", again.stderr);
}

#[test]
fn a_circle_is_shown_once() {
    let place = Place::new(&[("a.c", WAITING)]);
    let ended = place.run(&["check", "a.c", "--format", "json"]);
    let object: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    let trace = object["violations"][0]["trace"].as_array().expect("a trace");
    let waits = trace.iter().filter(|row| row["text"] == "reads up = 0").count();
    assert_eq!((ended.code, waits), (1, 1), "{trace:?}");
    assert_eq!(object["unknown"], Value::Array(Vec::new()));
}

#[test]
fn all_violations_and_their_files() {
    let place = Place::new(&[("many.c", MANY)]);
    let ended = place.run(&["check", "many.c", "--keep-going", "--format", "json"]);
    let result: Value = serde_json::from_str(&ended.stdout).expect("one object");
    let violations = result["violations"].as_array().expect("a list");
    let count = |kind: &str| violations.iter().filter(|violation| violation["kind"] == kind).count();
    assert_eq!(count("assertion"), 1, "{}", ended.stdout);
    assert!(count("data-race") >= 2, "{}", ended.stdout);
    for (index, violation) in violations.iter().enumerate() {
        let file = match index {
            0 => "many.schedule.json".to_owned(),
            _ => format!("many-{}.schedule.json", index + 1),
        };
        assert_eq!(violation["schedule"], file.as_str());
        let again = place.run(&["run", "many.c", "--schedule", &file]);
        assert_eq!(again.code, 1, "{}", again.stderr);
        let message = violation["message"].as_str().expect("a message");
        assert!(again.stderr.contains(message), "{message}: {}", again.stderr);
    }
    let only = Place::new(&[("many.c", MANY)]);
    assert_eq!(only.run(&["check", "many.c", "--no-schedule"]).code, 1);
    assert_eq!(only.files(), ["many.c"]);
    assert_eq!(only.run(&["check", "many.c", "--save-schedule", "s.json"]).code, 1);
    assert_eq!(only.files(), ["many.c", "s.json"]);
    let ended = only.run(&["check", "many.c", "--save-schedule", "none/s.json"]);
    assert_eq!(ended.code, 1, "the violation stands");
    one_paragraph(&ended.stderr, "`none/s.json` cannot be written");
}

#[test]
fn one_json_object_with_everything() {
    let place = Place::new(&[("race.c", RACE), ("a.c", HELLO)]);
    let ended = place.run(&["check", "race.c", "--format", "json", "--model", "tso", "--unroll", "5"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (1, ""));
    assert_eq!(ended.stdout.lines().count(), 1);
    let result: Value = serde_json::from_str(&ended.stdout).expect("one object");
    assert_eq!(result["schema"], 1);
    assert_eq!(result["verdict"], "violation");
    assert_eq!(result["model"], "tso");
    assert_eq!(result["strategy"], "auto");
    assert_eq!(result["bounds"], serde_json::json!(["unroll 5"]));
    assert!(result["executions"].is_u64() && result["blocked"].is_u64() && result["states"].is_u64());
    assert!(result["classes"].is_null() && result["seconds"].is_f64());
    assert_eq!(result["unknown"], serde_json::json!([]));
    let violation = &result["violations"][0];
    assert_eq!(violation["kind"], "data-race");
    assert_eq!(
        violation["location"],
        serde_json::json!({ "file": "race.c", "line": 3, "column": 22, "function": "f" })
    );
    assert_eq!(violation["threads"], serde_json::json!(["main.1", "main"]));
    assert_eq!(violation["accesses"][1]["does"], "reads x");
    assert_eq!(violation["schedule"], "race.schedule.json");
    assert_eq!(violation["replay"], "selvedge run race.c --schedule race.schedule.json");
    let trace = violation["trace"].as_array().expect("a list");
    let marked: Vec<_> = trace.iter().filter(|row| row["marked"] == true).collect();
    assert_eq!(marked.len(), 1);
    assert_eq!((&marked[0]["thread"], &marked[0]["text"]), (&"main".into(), &"reads x".into()));
    assert_eq!(marked[0]["location"]["line"], 7);
    let ended = place.run(&["check", "a.c", "--format", "json"]);
    let result: Value = serde_json::from_str(&ended.stdout).expect("one object");
    assert_eq!((ended.code, &result["verdict"]), (0, &"verified".into()));
    assert_eq!(result["violations"], serde_json::json!([]));
}

#[test]
fn any_number_of_jobs_gives_the_same_report() {
    for (name, program) in [("race.c", RACE), ("locks.c", DEADLOCK), ("many.c", MANY)] {
        let place = Place::new(&[(name, program)]);
        let reports = ["1", "2"].map(|jobs| {
            let ended = place.run(&["check", name, "--jobs", jobs, "--keep-going", "--trace"]);
            assert_eq!(ended.code, 1, "{}", ended.stderr);
            steady(&ended.stdout)
        });
        assert_eq!(reports[0], reports[1], "{name}");
    }
}

#[test]
fn a_second_strategy_agrees() {
    let place = Place::new(&[("many.c", MANY), ("a.c", HELLO)]);
    let ended = place.run(&["check", "a.c", "--cross-check", "states"]);
    assert_eq!(ended.code, 0, "{}", ended.stdout);
    assert!(ended.stdout.contains("  cross-check: also verified with strategy states: "), "{}", ended.stdout);
    let ended =
        place.run(&["check", "many.c", "--keep-going", "--cross-check", "states", "--format", "json"]);
    assert_eq!(ended.code, 1, "{}", ended.stdout);
    let result: Value = serde_json::from_str(&ended.stdout).expect("one object");
    assert_eq!(result["cross_check"]["verdict"], "violation");
    assert!(result["cross_check"]["contradiction"].is_null());
}

#[test]
fn inputs_are_part_of_the_program() {
    let program = "#include <assert.h>\n#include <stdio.h>\n#include <string.h>\nint main(int argc, char **argv) {\n  \
                   char line[100] = \"\";\n  fgets(line, sizeof line, stdin);\n  puts(line);\n  \
                   assert(argc != 2 || strcmp(argv[1], \"bad\") || strcmp(line, \"input\\n\"));\n  return 0;\n}\n";
    let place = Place::new(&[("a.c", program)]);
    std::fs::write(place.path("input"), "input\n").expect("a file");
    let run = |words: &[&str]| {
        let mut command = place.command(words);
        command.stdin(std::fs::File::open(place.path("input")).expect("a file"));
        let output = command.output().expect("selvedge");
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    assert_eq!(run(&["check", "a.c", "--", "good"]).0, Some(0));
    let (code, text) = run(&["check", "a.c", "--", "bad"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(!text.contains("\ninput\n"), "the program's output is not shown: {text}");
    assert_eq!(place.run(&["run", "a.c", "--schedule", "a.schedule.json"]).code, 1);
}

/// A test with the inputs of a violation shows it again, and nothing when the program was repaired.
#[test]
fn a_test_outlives_the_repair() {
    let cpp = "#include <selvedge.h>\nint main() {\n  int k = selvedge_any_int();\n  if (k > 6 && k < 8) selvedge_assert(k != 7);\n}\n";
    let c = "#include <selvedge.h>\n#include <string.h>\nint main(int argc, char **argv) {\n  int k = selvedge_any_int();\n  \
             selvedge_assert(k != 9 || argc != 2 || strcmp(argv[1], \"a*/b\"));\n}\n";
    for (name, test, program, assertion) in [
        ("a.cpp", "test.cpp", cpp, "selvedge_assert(k != 7)"),
        ("b.c", "test.c", c, "selvedge_assert(k != 9 "),
    ] {
        let place = Place::new(&[(name, program)]);
        let ended = place.run(&["check", name, "--emit-test", test, "--", "a*/b"]);
        assert_eq!(ended.code, 1, "{}{}", ended.stdout, ended.stderr);
        let ended = place.run(&["check", test]);
        assert_eq!(ended.code, 1, "{}{}", ended.stdout, ended.stderr);
        let repaired = assertion.replace("selvedge_assert(", "selvedge_assert(true || ");
        std::fs::write(place.path(name), program.replace(assertion, &repaired)).expect("a file");
        let ended = place.run(&["check", test]);
        assert_eq!(ended.code, 0, "{}{}", ended.stdout, ended.stderr);
    }
}

#[test]
fn limits_leave_the_answer_open() {
    let place = Place::new(&[("endless.c", ENDLESS)]);
    let ended = place.run(&["check", "endless.c", "--max-time", "0.3"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (3, ""));
    assert!(ended.stdout.starts_with("unknown: the limit of time was reached\n"), "{}", ended.stdout);
    assert!(ended.stdout.contains("Raise it with --max-time\n"), "{}", ended.stdout);
    assert!(
        ended.stdout.contains("  covered under the language's memory model (rc11), without bounds: "),
        "{}",
        ended.stdout
    );
    let ended = place.run(&["check", "endless.c", "--max-memory", "8M"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (3, ""));
    assert!(ended.stdout.starts_with("unknown: the limit of memory was reached\n"), "{}", ended.stdout);
    let ended = place.run(&["check", "endless.c", "--unroll", "3"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (3, ""));
    assert!(ended.stdout.starts_with("unknown: nothing is wrong within the bounds"), "{}", ended.stdout);
    let ended = place.run(&["check", "endless.c", "--max-time", "0.3", "--format", "json"]);
    let result: Value = serde_json::from_str(&ended.stdout).expect("one object");
    assert_eq!((ended.code, &result["verdict"]), (3, &"unknown".into()));
    assert_eq!(result["unknown"][0]["what"], "the limit of time was reached");
    assert_eq!(place.files(), ["endless.c"]);
}

#[test]
fn what_is_unsupported_is_said() {
    let program = "int main(void) {\n  __asm__ volatile(\"hlt\");\n}\n";
    let place = Place::new(&[("a.c", program)]);
    let ended = place.run(&["check", "a.c"]);
    assert_eq!(ended.code, 3, "{}", ended.stdout);
    assert!(ended.stdout.starts_with("unknown: unsupported "), "{}", ended.stdout);
    assert!(ended.stdout.contains(" at a.c:2:3 in main"), "{}", ended.stdout);
}

#[test]
fn an_interrupted_check_tells_what_is_known() {
    let place = Place::new(&[("endless.c", ENDLESS)]);
    let mut command = place.command(&["check", "endless.c", "--verbose"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("selvedge");
    let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    let begun = lines.any(|line| line.expect("a line") == "selvedge: compiled; the search begins");
    assert!(begun, "the search never begins");
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("kill").success());
    let output = child.wait_with_output().expect("selvedge");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{stdout}");
    assert!(stdout.starts_with("unknown: interrupted\n"), "{stdout}");
    assert_eq!(place.files(), ["endless.c"]);
    assert_eq!(names(place.temporary.path()), [""; 0]);
}

#[test]
fn a_rust_program_that_panics_on_some_schedule() {
    let program = "use std::sync::atomic::{AtomicU32, Ordering::SeqCst};\n\
                   static N: AtomicU32 = AtomicU32::new(0);\n\
                   fn step() { N.store(N.load(SeqCst) + 1, SeqCst); }\n\
                   fn main() {\n  let other = std::thread::spawn(step);\n  step();\n  \
                   other.join().unwrap();\n  assert_eq!(N.load(SeqCst), 2, \"a step is lost\");\n}\n";
    let place = Place::new(&[("steps.rs", program)]);
    let ended = place.run(&["check", "steps.rs", "--max-time", "100"]);
    assert_eq!(ended.code, 1, "{}{}", ended.stdout, ended.stderr);
    assert!(ended.stdout.starts_with("violation: panic\n"), "{}", ended.stdout);
    assert!(ended.stdout.contains("a step is lost"), "{}", ended.stdout);
    assert!(ended.stdout.contains("  at steps.rs:8:3, thread main\n"), "{}", ended.stdout);
    let again = place.run(&["run", "steps.rs", "--schedule", "steps.schedule.json"]);
    assert_eq!(again.code, 1, "{}", again.stderr);
}

#[test]
fn help_has_examples() {
    let ended = Place::new(&[]).run(&["check", "--help"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
    assert!(ended.stdout.contains("selvedge check bank.c --model tso"), "{}", ended.stdout);
    assert!(ended.stdout.contains("Exit codes:"), "{}", ended.stdout);
}

/// A thread on this cycle stores something else each time.
const TOGGLE: &str = r#"
#include <pthread.h>
#include <stdatomic.h>
atomic_int done, side;
static void *toggle(void *unused) {
  while (!atomic_load_explicit(&done, memory_order_relaxed))
    atomic_store_explicit(&side, 1 - atomic_load_explicit(&side, memory_order_relaxed), memory_order_relaxed);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, toggle, 0);
  atomic_store_explicit(&done, 1, memory_order_relaxed);
  return pthread_join(thread, 0);
}
"#;

#[test]
fn what_graphs_cannot_say_interleavings_may() {
    let place = Place::new(&[("toggle.c", TOGGLE)]);
    let ended = place.run(&["check", "toggle.c"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (3, ""));
    expect![[r#"
        unknown: an execution takes more steps than can be looked at under the language's memory model
          Bound the loops with --unroll, or look at sequentially consistent executions only: --model sc
          covered under the language's memory model (rc11), without bounds: (counts)
          all sequentially consistent executions were covered, and none goes wrong
    "#]]
    .assert_eq(&steady(&ended.stdout));
    let object: Value =
        serde_json::from_str(&place.run(&["check", "toggle.c", "--format", "json"]).stdout).expect("JSON");
    assert_eq!(object["covered_sequential"], true);
    assert_eq!(place.run(&["check", "toggle.c", "--model", "sc"]).code, 0);
}

/// An update is lost, in the most ordinary way.
const LOST: &str = r#"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int n;
static void *add(void *unused) {
  int old = atomic_load_explicit(&n, memory_order_relaxed);
  atomic_store_explicit(&n, old + 1, memory_order_relaxed);
  return unused;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, add, 0);
  pthread_create(&two, 0, add, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert(n == 2);
}
"#;

#[test]
fn what_needs_no_weak_memory_is_shown_without() {
    let place = Place::new(&[("lost.c", LOST)]);
    let ended = place.run(&["check", "lost.c"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (1, ""));
    assert!(!ended.stdout.contains("nothing orders"), "{}", ended.stdout);
    assert!(ended.stdout.contains("  It takes no weak memory"), "{}", ended.stdout);
    let schedule = std::fs::read_to_string(place.path("lost.schedule.json")).expect("a schedule");
    assert!(schedule.contains("\"model\": \"sc\""), "{schedule}");
    assert_eq!(place.run(&["run", "lost.c", "--schedule", "lost.schedule.json"]).code, 1);
}
