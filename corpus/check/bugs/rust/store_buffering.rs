// selvedge: check --model tso
// expect: violation panic

//! Two threads raise a flag each and look at the other one with release and acquire; both can see nothing.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

static LEFT: AtomicBool = AtomicBool::new(false);
static RIGHT: AtomicBool = AtomicBool::new(false);

fn meet(mine: &AtomicBool, other: &AtomicBool) -> bool {
    mine.store(true, Ordering::Release);
    other.load(Ordering::Acquire)
}

fn main() {
    let left = thread::spawn(|| meet(&LEFT, &RIGHT));
    let right_saw = meet(&RIGHT, &LEFT);
    let left_saw = left.join().unwrap();
    assert!(left_saw || right_saw);
}
