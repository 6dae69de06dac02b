// Two counters sell the last ticket of a concert.
//
// Rust rules out data races here, and still both may sell it. (docs/book/tutorial-rust.md repairs it.)

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

static LEFT: AtomicUsize = AtomicUsize::new(1);

fn sell() -> bool {
    if LEFT.load(Ordering::SeqCst) > 0 {
        LEFT.fetch_sub(1, Ordering::SeqCst);
        return true;
    }
    false
}

fn main() {
    let other = thread::spawn(sell);
    let here = sell();
    let there = other.join().unwrap();
    assert!(here != there, "one ticket was sold {} times", usize::from(here) + usize::from(there));
}
