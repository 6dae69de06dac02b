//! crate: crossbeam-utils
//! expect: violation data-race, because large values are read without a lock first, and thrown away if one was being written
use crossbeam_utils::atomic::AtomicCell;
use rust_clients::both;

fn main() {
    let cell = AtomicCell::new((1u64, 2u64, 3u64));
    both(|| cell.store((4, 5, 6)), || assert!(matches!(cell.load(), (1, 2, 3) | (4, 5, 6))));
    assert_eq!(cell.load(), (4, 5, 6));
}
