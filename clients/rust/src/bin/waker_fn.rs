//! crate: waker-fn
use rust_clients::both;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use waker_fn::waker_fn;

fn main() {
    let count = Arc::new(AtomicI32::new(0));
    let waker = waker_fn({
        let count = count.clone();
        move || drop(count.fetch_add(1, Ordering::Relaxed))
    });
    let other = waker.clone();
    both(move || other.wake(), || waker.wake_by_ref());
    assert_eq!(count.load(Ordering::Relaxed), 2);
}
