//! crate: spin
use rust_clients::both;
use spin::RwLock;

fn main() {
    let lock = RwLock::new(1);
    both(
        || *lock.write() = 2,
        || {
            if let Some(value) = lock.try_upgradeable_read() {
                assert!(matches!(*value, 1 | 2));
            }
        },
    );
}
