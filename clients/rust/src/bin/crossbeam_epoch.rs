//! crate: crossbeam-epoch
use crossbeam_epoch::{self as epoch, Atomic, Owned};
use rust_clients::both;
use std::sync::atomic::Ordering;

fn main() {
    let shared = Atomic::new(1);
    both(
        || {
            let guard = epoch::pin();
            let old = shared.swap(Owned::new(2), Ordering::AcqRel, &guard);
            unsafe { guard.defer_destroy(old) };
        },
        || {
            let guard = epoch::pin();
            let value = unsafe { shared.load(Ordering::Acquire, &guard).as_ref() };
            assert!(matches!(value, Some(1 | 2)));
        },
    );
    drop(unsafe { shared.into_owned() });
}
