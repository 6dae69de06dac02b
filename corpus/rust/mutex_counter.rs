// selvedge: run
// expect: exit 0
// seeds: 5
// native: same
// stdout: counter 45
// stdout: inner 45

//! A counter behind a mutex, with `try_lock` on the side.

use std::sync::{Arc, Mutex, TryLockError};
use std::thread;

fn main() {
    let counter = Arc::new(Mutex::new(0u32));
    let mut handles = Vec::new();
    for _ in 0..3 {
        let counter = Arc::clone(&counter);
        handles.push(thread::spawn(move || {
            for _ in 0..5 {
                *counter.lock().unwrap() += 1;
            }
            let mut failed = 0u32;
            loop {
                match counter.try_lock() {
                    Ok(mut value) => {
                        *value += 10;
                        return failed;
                    }
                    Err(TryLockError::WouldBlock) => failed += 1,
                    Err(TryLockError::Poisoned(_)) => unreachable!("nobody panics"),
                }
                thread::yield_now();
            }
        }));
    }
    for handle in handles {
        let _ = handle.join().unwrap();
    }
    println!("counter {}", *counter.lock().unwrap());
    let inner = Arc::try_unwrap(counter).unwrap().into_inner().unwrap();
    println!("inner {inner}");
}
