// selvedge: check
// expect: verified

//! A counter is raised by compare-exchange, which is tried again with the value that was found.

use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

fn raise(counter: &AtomicU32) {
    let mut seen = counter.load(Ordering::Relaxed);
    while let Err(found) = counter.compare_exchange(seen, seen + 1, Ordering::AcqRel, Ordering::Relaxed) {
        seen = found;
    }
}

fn main() {
    let counter = AtomicU32::new(0);
    thread::scope(|scope| {
        scope.spawn(|| raise(&counter));
        raise(&counter);
    });
    assert_eq!(counter.into_inner(), 2);
}
