//! crate: portable-atomic
use portable_atomic::{AtomicU32, Ordering};
use rust_clients::both;

fn main() {
    let cell = AtomicU32::new(1);
    both(|| drop(cell.fetch_add(1, Ordering::AcqRel)), || drop(cell.bit_set(3, Ordering::AcqRel)));
    assert!(matches!(cell.load(Ordering::Acquire), 10));
}
