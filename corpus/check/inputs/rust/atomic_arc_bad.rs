// selvedge: check
// expect: violation panic

// Two threads look and then add: with one input they have both looked before either has added.
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

fn add(total: &AtomicU32, step: u32) {
    let seen = total.load(Ordering::SeqCst);
    if seen < 10 {
        total.store(seen + step, Ordering::SeqCst);
    }
}

fn main() {
    let step = selvedge::any::<u32>();
    selvedge::assume(step < 100);
    let total = Arc::new(AtomicU32::new(0));
    let other = Arc::clone(&total);
    let thread = thread::spawn(move || add(&other, step));
    add(&total, 10);
    thread.join().unwrap();
    let total = total.load(Ordering::SeqCst);
    assert!(total >= 10 || step != 9);
}
