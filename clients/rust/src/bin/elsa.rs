//! crate: elsa
use elsa::sync::FrozenMap;
use rust_clients::both;

fn main() {
    let map = FrozenMap::new();
    both(
        || assert_eq!(map.insert(1, Box::new(10)), &10),
        || assert!(map.get(&1).is_none_or(|value| *value == 10)),
    );
}
