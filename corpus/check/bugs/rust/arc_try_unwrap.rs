// selvedge: check
// expect: violation panic

//! Two owners of a result try to take it out of its `Arc` when the other one is gone; both can give up.

use std::sync::Arc;
use std::thread;

fn take(shared: Arc<u32>) -> Option<u32> {
    Arc::try_unwrap(shared).ok()
}

fn main() {
    let mine = Arc::new(9);
    let theirs = mine.clone();
    let other = thread::spawn(move || take(theirs));
    let here = take(mine);
    let there = other.join().unwrap();
    assert_eq!(here.or(there), Some(9));
}
