//! crate: papaya
use papaya::HashMap;
use rust_clients::both;

fn main() {
    let map = HashMap::new();
    both(|| drop(map.pin().insert(1, 10)), || assert!(map.pin().get(&1).is_none_or(|value| *value == 10)));
    assert_eq!(map.pin().len(), 1);
}
