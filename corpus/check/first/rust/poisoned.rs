// selvedge: check
// expect: verified
// A thread that panics with the lock poisons it.
use std::sync::{Arc, Mutex};
use std::thread;

fn main() {
    let shared = Arc::new(Mutex::new(1));
    let other = Arc::clone(&shared);
    let thread = thread::spawn(move || {
        let _guard = other.lock().unwrap();
        panic!("with the lock");
    });
    assert!(thread.join().is_err());
    assert!(shared.is_poisoned());
    assert_eq!(*shared.lock().unwrap_or_else(|poisoned| poisoned.into_inner()), 1);
}
