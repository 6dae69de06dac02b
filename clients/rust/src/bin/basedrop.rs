//! crate: basedrop
use basedrop::{Collector, Shared};
use rust_clients::both;

fn main() {
    let mut collector = Collector::new();
    let shared = Shared::new(&collector.handle(), 7);
    let copy = shared.clone();
    both(move || assert_eq!(*copy, 7), move || assert_eq!(*shared, 7));
    collector.collect();
    assert_eq!(collector.alloc_count(), 0);
}
