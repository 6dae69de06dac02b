// selvedge: check
// expect: verified
// slow: more states and graphs than are looked at in a minute of a busy machine
// What each of three threads wrote before the barrier, all see after it.
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
use std::thread;

static ARRIVED: AtomicUsize = AtomicUsize::new(0);

fn main() {
    let barrier = Arc::new(Barrier::new(3));
    let meet = |barrier: &Barrier| {
        ARRIVED.fetch_add(1, Ordering::Relaxed);
        barrier.wait();
        assert_eq!(ARRIVED.load(Ordering::Relaxed), 3);
    };
    let handles: Vec<_> = (0..2)
        .map(|_| {
            let barrier = Arc::clone(&barrier);
            thread::spawn(move || meet(&barrier))
        })
        .collect();
    meet(&barrier);
    for handle in handles {
        handle.join().unwrap();
    }
}
