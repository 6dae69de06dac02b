// selvedge: run
// expect: violation panic line 20
// seeds: 3

//! Unwrapping a poisoned lock: the thread's panic surfaces in `main`.

use std::sync::{Arc, Mutex};
use std::thread;

fn main() {
    let shared = Arc::new(Mutex::new(0));
    let other = Arc::clone(&shared);
    let _ = thread::spawn(move || {
        let mut guard = other.lock().unwrap();
        *guard += 1;
        panic!("while holding the lock");
    })
    .join();
    println!("joined");
    let value = shared.lock().unwrap(); // fault: the lock is poisoned
    println!("never printed {value}");
}
