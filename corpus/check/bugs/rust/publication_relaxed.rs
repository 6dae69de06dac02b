// selvedge: check --model pso
// expect: violation panic

//! Two relaxed stores publish a value and the fact that it is there; the second may be seen first.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;

static RESULT: AtomicU32 = AtomicU32::new(0);
static DONE: AtomicBool = AtomicBool::new(false);

fn main() {
    let worker = thread::spawn(|| {
        RESULT.store(12, Ordering::Relaxed);
        DONE.store(true, Ordering::Relaxed);
    });
    if DONE.load(Ordering::Acquire) {
        assert_eq!(RESULT.load(Ordering::Relaxed), 12);
    }
    worker.join().unwrap();
}
