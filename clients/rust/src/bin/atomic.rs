//! crate: atomic
use atomic::{Atomic, Ordering};
use rust_clients::both;

fn main() {
    let cell = Atomic::new(1u16);
    both(|| cell.store(2, Ordering::Release), || assert!(matches!(cell.load(Ordering::Acquire), 1 | 2)));
    assert_eq!(cell.swap(3, Ordering::AcqRel), 2);
}
