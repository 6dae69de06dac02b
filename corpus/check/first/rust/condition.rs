// selvedge: check
// expect: verified
// slow: 2,772 states of operational RC11
// Main waits until two threads have reported.
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

fn main() {
    let shared = Arc::new((Mutex::new(0), Condvar::new()));
    let handles: Vec<_> = (0..2)
        .map(|_| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                *shared.0.lock().unwrap() += 1;
                shared.1.notify_one();
            })
        })
        .collect();
    let mut ready = shared.0.lock().unwrap();
    while *ready < 2 {
        ready = shared.1.wait(ready).unwrap();
    }
    drop(ready);
    for handle in handles {
        handle.join().unwrap();
    }
}
