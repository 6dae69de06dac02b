// selvedge: check
// expect: verified

//! Two owners of a result let go of their `Arc` with `into_inner`, of which exactly one gets the result.

use std::sync::Arc;
use std::thread;

fn take(shared: Arc<u32>) -> Option<u32> {
    Arc::into_inner(shared)
}

fn main() {
    let mine = Arc::new(9);
    let theirs = mine.clone();
    let other = thread::spawn(move || take(theirs));
    let here = take(mine);
    let there = other.join().unwrap();
    assert_eq!(here.or(there), Some(9));
}
