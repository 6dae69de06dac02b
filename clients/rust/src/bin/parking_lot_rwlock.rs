//! crate: parking_lot
use parking_lot::RwLock;
use rust_clients::both;

fn main() {
    let lock = RwLock::new(1);
    both(|| *lock.write() = 2, || assert!(matches!(*lock.read(), 1 | 2)));
    assert_eq!(lock.into_inner(), 2);
}
