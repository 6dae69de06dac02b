//! crate: sharded-slab
use rust_clients::both;
use sharded_slab::Slab;

fn main() {
    let slab = Slab::new();
    let first = slab.insert(1);
    both(
        || drop(slab.insert(2)),
        || assert!(first.is_some_and(|key| slab.get(key).is_some_and(|value| *value == 1))),
    );
}
