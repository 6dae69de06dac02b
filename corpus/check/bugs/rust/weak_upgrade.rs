// selvedge: check
// expect: violation panic

//! A watcher counts the owners of a value and then upgrades its weak reference, as if nobody could leave in
//! between.

use std::sync::{Arc, Weak};
use std::thread;

fn peek(weak: &Weak<u32>) -> Option<u32> {
    if weak.strong_count() == 0 {
        return None;
    }
    Some(*weak.upgrade().unwrap())
}

fn main() {
    let value = Arc::new(3);
    let weak = Arc::downgrade(&value);
    let watcher = thread::spawn(move || peek(&weak));
    drop(value);
    let seen = watcher.join().unwrap();
    assert!(seen.is_none() || seen == Some(3));
}
