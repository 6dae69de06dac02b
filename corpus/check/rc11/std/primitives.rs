// selvedge: check --model rc11
// expect: verified
// selvedge: check --model rc11 --cflags="--cfg lost"
// expect: violation deadlock
//
// A mutex and a condition variable of the standard library as they are, in threads of a scope.
use std::sync::{Condvar, Mutex};
use std::thread;

fn main() {
    let (ready, changed) = (Mutex::new(false), Condvar::new());
    thread::scope(|scope| {
        scope.spawn(|| {
            *ready.lock().unwrap() = true;
            changed.notify_one();
        });
        let mut is_ready = ready.lock().unwrap();
        if cfg!(lost) {
            is_ready = changed.wait(is_ready).unwrap();
        }
        while !*is_ready {
            is_ready = changed.wait(is_ready).unwrap();
        }
    });
}
