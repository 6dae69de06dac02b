// selvedge: check --no-spurious
// expect: violation deadlock
// selvedge: check
// expect: violation panic

//! Main waits for a notification without asking whether what it waits for has already happened.

use std::sync::{Arc, Condvar, Mutex};
use std::thread;

struct Signal {
    ready: Mutex<bool>,
    changed: Condvar,
}

fn main() {
    let signal = Arc::new(Signal { ready: Mutex::new(false), changed: Condvar::new() });
    let worker = thread::spawn({
        let signal = signal.clone();
        move || {
            *signal.ready.lock().unwrap() = true;
            signal.changed.notify_one();
        }
    });
    let guard = signal.ready.lock().unwrap();
    let guard = signal.changed.wait(guard).unwrap();
    assert!(*guard);
    drop(guard);
    worker.join().unwrap();
}
