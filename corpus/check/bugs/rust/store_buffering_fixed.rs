// selvedge: check --model tso
// expect: verified

//! Two threads raise a flag each and look at the other one, sequentially consistent; one of them sees the other.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

static LEFT: AtomicBool = AtomicBool::new(false);
static RIGHT: AtomicBool = AtomicBool::new(false);

fn meet(mine: &AtomicBool, other: &AtomicBool) -> bool {
    mine.store(true, Ordering::SeqCst);
    other.load(Ordering::SeqCst)
}

fn main() {
    let left = thread::spawn(|| meet(&LEFT, &RIGHT));
    let right_saw = meet(&RIGHT, &LEFT);
    let left_saw = left.join().unwrap();
    assert!(left_saw || right_saw);
}
