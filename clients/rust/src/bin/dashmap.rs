//! crate: dashmap
use dashmap::DashMap;
use rust_clients::both;

fn main() {
    let map = DashMap::with_capacity_and_shard_amount(4, 2);
    both(|| drop(map.insert(1, 10)), || assert!(map.get(&1).is_none_or(|value| *value == 10)));
    assert_eq!(map.len(), 1);
}
