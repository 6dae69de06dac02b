// selvedge: check
// expect: verified

//! Main spins until a worker has finished, which it says on every way out.

use std::hint;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;

static CANCELLED: AtomicBool = AtomicBool::new(false);
static FINISHED: AtomicBool = AtomicBool::new(false);
static PROCESSED: AtomicU32 = AtomicU32::new(0);

fn work() {
    if !CANCELLED.load(Ordering::Acquire) {
        PROCESSED.fetch_add(1, Ordering::Relaxed);
    }
    FINISHED.store(true, Ordering::Release);
}

fn main() {
    let worker = thread::spawn(work);
    CANCELLED.store(true, Ordering::Release);
    while !FINISHED.load(Ordering::Acquire) {
        hint::spin_loop();
    }
    worker.join().unwrap();
}
