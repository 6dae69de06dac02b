// selvedge: check
// expect: violation termination

//! A counter is raised by compare-exchange, which is tried again and again with the value that was seen first.

use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

fn raise(counter: &AtomicU32) {
    let seen = counter.load(Ordering::Relaxed);
    while counter.compare_exchange(seen, seen + 1, Ordering::AcqRel, Ordering::Relaxed).is_err() {}
}

fn main() {
    let counter = AtomicU32::new(0);
    thread::scope(|scope| {
        scope.spawn(|| raise(&counter));
        raise(&counter);
    });
    assert_eq!(counter.into_inner(), 2);
}
