// selvedge: run
// expect: exit 0
// seeds: 4
// native: same
// stdout: open false timed out true
// stdout: woken [0, 100, 200]

//! A timed wait ends although nobody notifies; `notify_all` wakes every waiter.

use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

fn main() {
    let gate = Arc::new((Mutex::new(false), Condvar::new()));
    let (lock, condition) = &*gate;
    let (open, outcome) =
        condition.wait_timeout_while(lock.lock().unwrap(), Duration::from_millis(2), |open| !*open).unwrap();
    println!("open {} timed out {}", *open, outcome.timed_out());
    drop(open);

    let waiters: Vec<_> = (0..3)
        .map(|id| {
            let gate = Arc::clone(&gate);
            thread::spawn(move || {
                let (lock, condition) = &*gate;
                let mut open = lock.lock().unwrap();
                while !*open {
                    open = condition.wait(open).unwrap();
                }
                id * 100
            })
        })
        .collect();
    *lock.lock().unwrap() = true;
    condition.notify_all();
    let woken: Vec<i32> = waiters.into_iter().map(|w| w.join().unwrap()).collect();
    println!("woken {woken:?}");
}
