// selvedge: check
// expect: verified
// Relaxed additions are enough for a count that is read after the joins.
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

static DONE: AtomicUsize = AtomicUsize::new(0);

fn main() {
    let handles: Vec<_> =
        (0..3).map(|_| thread::spawn(|| (0..2).for_each(|_| drop(DONE.fetch_add(1, Ordering::Relaxed))))).collect();
    assert!(DONE.load(Ordering::Relaxed) <= 6);
    for handle in handles {
        handle.join().unwrap();
    }
    assert_eq!(DONE.load(Ordering::Relaxed), 6);
}
