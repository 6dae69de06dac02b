// selvedge: check
// expect: verified
// selvedge: check --cflags="--cfg bug"
// expect: violation panic
//
// Threads add to a number under a lock.
// With `bug` a thread lets go of the lock between looking at the number and writing it.
use std::sync::{Arc, Mutex};
use std::thread;

fn add(number: &Mutex<u32>) {
    let mut guard = number.lock().unwrap();
    let seen = *guard;
    if cfg!(bug) {
        drop(guard);
        guard = number.lock().unwrap();
    }
    *guard = seen + 1;
}

fn main() {
    let number = Arc::new(Mutex::new(0));
    let threads: Vec<_> = (0..3)
        .map(|_| {
            let number = Arc::clone(&number);
            thread::spawn(move || add(&number))
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(*number.lock().unwrap(), 3);
}
