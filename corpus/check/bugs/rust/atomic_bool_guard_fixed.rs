// selvedge: check
// expect: verified

//! A maintenance job must not run twice at a time; one swap reads and sets the flag.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;

static RUNNING: AtomicBool = AtomicBool::new(false);
static JOBS: AtomicU32 = AtomicU32::new(0);

fn maintain() {
    if RUNNING.swap(true, Ordering::SeqCst) {
        return;
    }
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
