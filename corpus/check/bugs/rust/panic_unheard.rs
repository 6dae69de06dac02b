// selvedge: check
// expect: violation panic line 14

//! A thread whose handle is dropped panics if it comes too late: nobody joins it, so nobody learns of it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

static CLOSED: AtomicBool = AtomicBool::new(false);

fn main() {
    drop(thread::spawn(|| {
        // Natively this is a message on standard error, and exit code 0.
        assert!(!CLOSED.load(Ordering::SeqCst), "too late");
    }));
    CLOSED.store(true, Ordering::SeqCst);
}
