// selvedge: check
// expect: verified
//
// Two threads add under a lock, and whoever is last frees it.

use std::sync::{Arc, Mutex};
use std::thread;
fn main() {
    let n = selvedge::any::<u8>();
    let total = Arc::new(Mutex::new(0u32));
    let other = Arc::clone(&total);
    let t = thread::spawn(move || {
        let mut guard = other.lock().unwrap();
        if n > 100 {
            *guard += 2;
        } else {
            *guard += 1;
        }
    });
    *total.lock().unwrap() += 5;
    t.join().unwrap();
    assert!(*total.lock().unwrap() >= 6);
}
