//! crate: scc
//! expect: violation data-race, because looking up compares the hashes of all entries of a bucket, also of one that is being written, and drops those that are not occupied afterwards
use rust_clients::both;
use scc::HashIndex;

fn main() {
    let map = HashIndex::new();
    both(
        || assert!(map.insert(1, 10).is_ok()),
        || assert!(map.peek_with(&1, |_, value| *value).is_none_or(|value| value == 10)),
    );
}
