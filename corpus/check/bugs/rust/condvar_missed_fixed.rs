// selvedge: check
// expect: verified

//! Main waits for a flag that is set before the notification.

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
    let guard = signal.changed.wait_while(guard, |ready| !*ready).unwrap();
    assert!(*guard);
    drop(guard);
    worker.join().unwrap();
}
