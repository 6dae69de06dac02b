//! crate: quick_cache
use quick_cache::sync::Cache;
use rust_clients::both;

fn main() {
    let cache = Cache::new(4);
    both(|| cache.insert(1, 10), || assert!(cache.get(&1).is_none_or(|value| value == 10)));
    assert_eq!(cache.get(&1), Some(10));
}
