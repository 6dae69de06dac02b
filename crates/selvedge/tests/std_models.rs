//! Waiting in Rust's standard library: the models answer as the library's own code does.

use super::cli::Place;
use serde_json::Value;

/// Threads that are parked, and that wait for mutexes; some go wrong.
const PROGRAMS: &[(&str, &str)] = &[
    ("token_missing", "std::thread::park();"),
    // One token, however often it is given.
    (
        "two_tokens",
        "let me = std::thread::current(); me.unpark(); me.unpark(); std::thread::park(); std::thread::park();",
    ),
    (
        "handed_over",
        "static X: AtomicU32 = AtomicU32::new(0); let me = std::thread::current();
         let other = std::thread::spawn(move || { X.store(1, Ordering::Relaxed); me.unpark(); });
         std::thread::park(); assert_eq!(X.load(Ordering::Relaxed), 1); other.join().unwrap();",
    ),
    (
        "unparked_too_early",
        "static X: AtomicU32 = AtomicU32::new(0); let me = std::thread::current();
         let other = std::thread::spawn(move || { me.unpark(); X.store(1, Ordering::Relaxed); });
         std::thread::park(); assert_eq!(X.load(Ordering::Relaxed), 1); other.join().unwrap();",
    ),
    (
        "counted_under_a_lock",
        "static M: Mutex<u32> = Mutex::new(0); let other = std::thread::spawn(|| *M.lock().unwrap() += 1);
         *M.lock().unwrap() += 1; other.join().unwrap(); assert_eq!(*M.lock().unwrap(), 2);",
    ),
    (
        "crossed_locks",
        "static A: Mutex<u32> = Mutex::new(0); static B: Mutex<u32> = Mutex::new(0);
         let other = std::thread::spawn(|| { let _a = A.lock(); let _b = B.lock(); });
         let b = B.lock(); let a = A.lock(); drop((a, b)); other.join().unwrap();",
    ),
];

fn source(body: &str) -> String {
    format!(
        "#![allow(unused_imports)] use std::sync::Mutex; use std::sync::atomic::{{AtomicU32, Ordering}};\n\
         fn main() {{ {body} }}\n"
    )
}

/// The verdict and what goes wrong.
fn answer(place: &Place, words: &[&str]) -> (Value, Vec<Value>) {
    let mut all = vec!["check"];
    all.extend(words);
    all.extend(["--keep-going", "--format", "json", "--no-schedule", "--no-second-opinion"]);
    let ended = place.run(&all);
    let result: Value = serde_json::from_str(&ended.stdout).unwrap_or_else(|_| panic!("{}", ended.stderr));
    let kinds = result["violations"].as_array().into_iter().flatten().map(|found| found["kind"].clone());
    let mut kinds: Vec<Value> = kinds.collect();
    kinds.sort_by_key(Value::to_string);
    (result["verdict"].clone(), kinds)
}

#[test]
fn models_answer_as_the_code_does() {
    for (name, body) in PROGRAMS {
        let file = format!("{name}.rs");
        let place = Place::new(&[(&file, &source(body))]);
        let modelled = answer(&place, &[&file]);
        let executed = answer(&place, &[&file, "--without", "std-models"]);
        assert_ne!(modelled.0, "unknown", "{name}");
        // Spurious wake-ups of the library's futexes are not explored in graphs.
        if executed.0 != "unknown" {
            assert_eq!(modelled, executed, "{name}");
        }
    }
}
