// Two counters sell the last ticket of a concert.
// Whether there is one, and taking it, is one step.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

static LEFT: AtomicUsize = AtomicUsize::new(1);

fn sell() -> bool {
    LEFT.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok()
}

fn main() {
    let other = thread::spawn(sell);
    let here = sell();
    let there = other.join().unwrap();
    assert!(here != there, "one ticket was sold {} times", usize::from(here) + usize::from(there));
}
