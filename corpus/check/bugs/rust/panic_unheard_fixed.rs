// selvedge: check
// expect: verified

//! Panics that somebody learns of: one is found by a join, one is caught in a thread whose handle is dropped.

use std::sync::atomic::{AtomicBool, Ordering};
use std::{panic, thread};

static CLOSED: AtomicBool = AtomicBool::new(true);

fn look() {
    assert!(!CLOSED.load(Ordering::SeqCst), "too late");
}

fn main() {
    assert!(thread::spawn(look).join().is_err());
    drop(thread::spawn(|| assert!(panic::catch_unwind(look).is_err())));
}
