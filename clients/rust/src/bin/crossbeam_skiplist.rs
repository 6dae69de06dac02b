//! crate: crossbeam-skiplist
use crossbeam_skiplist::SkipSet;
use rust_clients::both;

fn main() {
    let set = SkipSet::new();
    both(|| drop(set.insert(1)), || assert!(matches!(set.contains(&1), true | false)));
    assert!(set.contains(&1));
}
