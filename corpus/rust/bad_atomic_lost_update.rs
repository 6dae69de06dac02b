// selvedge: run
// expect-some: violation panic line 26
// seeds: 20

//! A load and a store are not one operation, even when both are atomic.

use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

static STOCK: AtomicU32 = AtomicU32::new(1);

fn buy() -> bool {
    if STOCK.load(Ordering::SeqCst) > 0 {
        let left = STOCK.load(Ordering::SeqCst) - 1;
        STOCK.store(left, Ordering::SeqCst);
        return true;
    }
    false
}

fn main() {
    let one = thread::spawn(|| std::panic::catch_unwind(buy).unwrap_or(false));
    let two = thread::spawn(|| std::panic::catch_unwind(buy).unwrap_or(false));
    let sold = u32::from(one.join().unwrap()) + u32::from(two.join().unwrap());
    println!("sold {sold}");
    assert!(sold <= 1, "sold {sold} of 1"); // fault: both saw the last one
}
