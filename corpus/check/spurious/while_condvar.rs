// selvedge: check --model sc
// expect: verified

// `wait_while` waits in a loop.
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

fn main() {
    let shared = Arc::new((Mutex::new(false), Condvar::new()));
    let other = shared.clone();
    let taker = thread::spawn(move || {
        let (full, changed) = &*other;
        let full = changed.wait_while(full.lock().unwrap(), |full| !*full).unwrap();
        assert!(*full);
    });
    let (full, changed) = &*shared;
    *full.lock().unwrap() = true;
    changed.notify_one();
    taker.join().unwrap();
}
