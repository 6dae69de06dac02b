//! Names and values in traces, from debug information.

use crate::cli::Place;
use serde_json::Value;

/// The steps of the first violation of a program, as text.
fn steps(file: &str, source: &str) -> Vec<String> {
    let place = Place::new(&[(file, source)]);
    let ended = place.run(&["check", file, "--no-schedule", "--format", "json"]);
    let result: Value = serde_json::from_str(&ended.stdout).unwrap_or_else(|_| panic!("{}", ended.stderr));
    let trace = result["violations"][0]["trace"].as_array().unwrap_or_else(|| panic!("{result}"));
    let own = trace.iter().filter(|step| step["library"] != true);
    own.map(|step| step["text"].as_str().expect("text").to_owned()).collect()
}

#[track_caller]
fn all_told(steps: &[String], expected: &[&str]) {
    for wanted in expected {
        assert!(steps.iter().any(|step| step == wanted), "`{wanted}` is not in {steps:#?}");
    }
}

const C: &str = r#"#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
enum state { IDLE, BUSY = 5 };
struct node { int value; struct node *next; };
struct shared { pthread_mutex_t lock; enum state state; bool done; char letter; double half; unsigned long wide;
                struct node *head; struct { short pair[2][3]; } inner; void (*call)(void); };
static struct shared shared = { .lock = PTHREAD_MUTEX_INITIALIZER };
static void called(void) {}
static void *work(void *unused) {
  struct node *node = malloc(sizeof *node);
  pthread_mutex_lock(&shared.lock);
  shared.head = node;
  node->value = -3;
  shared.state = BUSY;
  shared.done = true;
  shared.letter = 'q';
  shared.half = 0.5;
  shared.wide = 1UL << 32;
  shared.inner.pair[1][2] = -7;
  shared.call = called;
  pthread_mutex_unlock(&shared.lock);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_mutex_lock(&shared.lock);
  struct node *seen = shared.head;
  bool fine = !shared.done;
  pthread_mutex_unlock(&shared.lock);
  pthread_join(thread, 0);
  assert(fine && !seen);
  return 0;
}
"#;

#[test]
fn members_and_values_of_c() {
    let expected = [
        "locks shared.lock",
        "shared.head = &node main.1#0",
        "node main.1#0.value = -3",
        "shared.state = BUSY",
        "shared.done = true",
        "shared.letter = 'q'",
        "shared.half = 0.5",
        "shared.wide = 4294967296",
        "shared.inner.pair[1][2] = -7",
        "shared.call = called",
        "reads shared.done = true",
    ];
    all_told(&steps("a.c", C), &expected);
}

const CPP: &str = r#"#include <atomic>
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>
namespace bank {
enum class State : signed char { Lost = -1, Found = 1 };
struct Base { long id = 0; };
struct Account : Base { std::mutex lock; int balance = 0; State state = State::Found; };
std::atomic<int> hits{0};
Account account;
std::atomic<Account *> current{nullptr};
}
int main() {
  std::thread other([] {
    std::lock_guard<std::mutex> guard(bank::account.lock);
    bank::account.balance = 7;
    bank::account.id = 9;
    bank::account.state = bank::State::Lost;
    bank::hits++;
    bank::current = &bank::account;
  });
  bool before = bank::hits == 0;
  other.join();
  assert(before);
}
"#;

#[test]
fn members_and_values_of_cpp() {
    let expected = [
        "locks account.lock",
        "account.balance = 7",
        "account.id = 9",
        "account.state = Lost",
        "hits: 0 -> 1",
        "current = &account",
        "reads hits = 1",
    ];
    all_told(&steps("a.cpp", CPP), &expected);
}

const RUST: &str = r#"use std::sync::{Arc, Mutex, atomic::{AtomicUsize, AtomicBool, Ordering}};
#[derive(Clone, Copy, PartialEq)]
enum State { Idle, Busy }
struct Account { state: State, balance: i64, log: [u16; 3] }
static HITS: AtomicUsize = AtomicUsize::new(0);
static DONE: AtomicBool = AtomicBool::new(false);
fn main() {
    let account = Arc::new(Mutex::new(Account { state: State::Idle, balance: 0, log: [0; 3] }));
    let other = account.clone();
    let thread = std::thread::spawn(move || {
        let mut account = other.lock().unwrap();
        account.balance = -5;
        account.state = State::Busy;
        account.log[2] = 8;
        HITS.store(3, Ordering::SeqCst);
        DONE.store(true, Ordering::SeqCst);
    });
    let done = DONE.load(Ordering::SeqCst);
    thread.join().unwrap();
    let account = account.lock().unwrap();
    assert!(!done && account.state == State::Busy);
}
"#;

#[test]
fn members_and_values_of_rust() {
    let steps = steps("a.rs", RUST);
    all_told(&steps, &["HITS = 3", "DONE = 1", "reads DONE = 1"]);
    let ends = |end: &str| steps.iter().any(|step| step.ends_with(end));
    assert!(ends(".balance = -5") && ends(".state = Busy") && ends(".log[2] = 8"), "{steps:#?}");
}

#[test]
fn an_integer_is_no_pointer() {
    // The number is the address of a variable.
    let source = "#include <assert.h>\n#include <pthread.h>\nstatic unsigned long number = 1;\n\
                  static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
                  static void *f(void *p) { pthread_mutex_lock(&m); number ^= 1UL << 32; pthread_mutex_unlock(&m);\n\
                  return p; }\n\
                  int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m);\n\
                  assert(number == 1); pthread_mutex_unlock(&m); pthread_join(t, 0); return 0; }\n";
    all_told(&steps("a.c", source), &["number = 4294967297", "reads number = 4294967297"]);
}
