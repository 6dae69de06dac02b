//! crate: arc-swap
use arc_swap::ArcSwap;
use rust_clients::both;
use std::sync::Arc;

fn main() {
    let shared = ArcSwap::from_pointee(1);
    both(|| shared.store(Arc::new(2)), || assert!(matches!(**shared.load(), 1 | 2)));
    assert_eq!(**shared.load(), 2);
}
