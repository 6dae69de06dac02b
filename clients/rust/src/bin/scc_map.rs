//! crate: scc
use rust_clients::both;
use scc::HashIndex;

fn main() {
    let map = HashIndex::new();
    both(
        || assert!(map.insert(1, 10).is_ok()),
        || assert!(map.peek_with(&1, |_, value| *value).is_none_or(|value| value == 10)),
    );
}
