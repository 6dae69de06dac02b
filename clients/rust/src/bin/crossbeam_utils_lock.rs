//! crate: crossbeam-utils
use crossbeam_utils::sync::ShardedLock;
use rust_clients::both;

fn main() {
    let lock = ShardedLock::new(1);
    both(
        || drop(lock.write().map(|mut value| *value = 2)),
        || assert!(lock.read().is_ok_and(|value| matches!(*value, 1 | 2))),
    );
}
