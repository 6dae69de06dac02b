// selvedge: check
// expect: violation panic
// selvedge: check --model sc --strategy states
// expect: violation panic
// selvedge: check --model sc --no-spurious
// expect: verified

// `Condvar::wait` is "susceptible to spurious wakeups".
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

fn main() {
    let shared = Arc::new((Mutex::new(false), Condvar::new()));
    let other = shared.clone();
    let taker = thread::spawn(move || {
        let (full, changed) = &*other;
        let mut full = full.lock().unwrap();
        if !*full {
            full = changed.wait(full).unwrap();
        }
        assert!(*full);
    });
    let (full, changed) = &*shared;
    *full.lock().unwrap() = true;
    changed.notify_one();
    taker.join().unwrap();
}
