//! crate: try-lock
use rust_clients::both;
use try_lock::TryLock;

fn main() {
    let lock = TryLock::new(0);
    let add = || {
        if let Some(mut value) = lock.try_lock() {
            *value += 1;
        }
    };
    both(add, add);
    assert!(matches!(lock.into_inner(), 1 | 2));
}
