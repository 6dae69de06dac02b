// selvedge: check --model pso
// expect: verified

//! A value is published by a release store, which no earlier store can be seen after.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;

static RESULT: AtomicU32 = AtomicU32::new(0);
static DONE: AtomicBool = AtomicBool::new(false);

fn main() {
    let worker = thread::spawn(|| {
        RESULT.store(12, Ordering::Relaxed);
        DONE.store(true, Ordering::Release);
    });
    if DONE.load(Ordering::Acquire) {
        assert_eq!(RESULT.load(Ordering::Relaxed), 12);
    }
    worker.join().unwrap();
}
