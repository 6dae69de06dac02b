//! crate: seize
use rust_clients::both;
use seize::{Collector, Guard, reclaim};
use std::sync::atomic::{AtomicPtr, Ordering};

fn main() {
    let collector = Collector::new();
    let shared = AtomicPtr::new(Box::into_raw(Box::new(1)));
    both(
        || {
            let guard = collector.enter();
            let old = guard.swap(&shared, Box::into_raw(Box::new(2)), Ordering::AcqRel);
            unsafe { guard.defer_retire(old, reclaim::boxed) };
        },
        || {
            let guard = collector.enter();
            let value = unsafe { *guard.protect(&shared, Ordering::Acquire) };
            assert!(matches!(value, 1 | 2));
        },
    );
    drop(unsafe { Box::from_raw(shared.load(Ordering::Relaxed)) });
}
