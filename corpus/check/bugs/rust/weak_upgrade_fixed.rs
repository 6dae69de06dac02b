// selvedge: check --model sc
// expect: verified

//! A watcher upgrades its weak reference and is content if there is nothing left.

use std::sync::{Arc, Weak};
use std::thread;

fn peek(weak: &Weak<u32>) -> Option<u32> {
    weak.upgrade().map(|value| *value)
}

fn main() {
    let value = Arc::new(3);
    let weak = Arc::downgrade(&value);
    let watcher = thread::spawn(move || peek(&weak));
    drop(value);
    let seen = watcher.join().unwrap();
    assert!(seen.is_none() || seen == Some(3));
}
