// selvedge: run
// expect: exit 0
// seeds: 5
// native: same
// stdout: observed [1, 2, 3]
// stdout: main was not left parked

//! `park`/`unpark`: the token is kept when the wake-up comes first.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

fn main() {
    let stage = Arc::new(AtomicU32::new(0));
    let seen = Arc::clone(&stage);
    let sleeper = thread::spawn(move || {
        let mut observed = Vec::new();
        for wanted in 1..=3 {
            while seen.load(Ordering::Acquire) < wanted {
                thread::park();
            }
            observed.push(wanted);
        }
        observed
    });
    for value in 1..=3 {
        stage.store(value, Ordering::Release);
        sleeper.thread().unpark();
        thread::yield_now();
    }
    println!("observed {:?}", sleeper.join().unwrap());

    // A token given in advance makes the next park return at once.
    thread::current().unpark();
    thread::park();
    thread::park_timeout(Duration::from_millis(1));
    println!("main was not left parked");
}
