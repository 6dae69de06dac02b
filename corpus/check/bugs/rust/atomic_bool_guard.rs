// selvedge: check
// expect: violation panic

//! A maintenance job must not run twice at a time; the flag is read, and set afterwards.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;

static RUNNING: AtomicBool = AtomicBool::new(false);
static JOBS: AtomicU32 = AtomicU32::new(0);

fn maintain() {
    if RUNNING.load(Ordering::SeqCst) {
        return;
    }
    RUNNING.store(true, Ordering::SeqCst);
    let others = JOBS.fetch_add(1, Ordering::SeqCst);
    assert_eq!(others, 0, "a job is running");
    JOBS.fetch_sub(1, Ordering::SeqCst);
    RUNNING.store(false, Ordering::SeqCst);
}

fn main() {
    let other = thread::spawn(maintain);
    maintain();
    other.join().unwrap();
}
