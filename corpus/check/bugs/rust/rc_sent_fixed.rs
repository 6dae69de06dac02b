// selvedge: check
// expect: verified

//! An `Arc` goes into another thread; both drop their clone.

use std::sync::Arc;
use std::thread;

fn main() {
    let mine = Arc::new(8);
    let theirs = mine.clone();
    let other = thread::spawn(move || *theirs);
    drop(mine);
    assert_eq!(other.join().unwrap(), 8);
}
