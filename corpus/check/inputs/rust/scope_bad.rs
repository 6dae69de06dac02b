// selvedge: check
// expect: violation panic
//
// Threads that borrow a counter: with one input they come to the wrong sum.

use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
fn main() {
    let n = selvedge::any::<u32>();
    let x = AtomicU32::new(0);
    thread::scope(|s| {
        s.spawn(|| {
            x.fetch_add(n, Ordering::SeqCst);
        });
        s.spawn(|| {
            x.fetch_add(1, Ordering::SeqCst);
        });
    });
    assert!(x.load(Ordering::SeqCst) != 42);
}
