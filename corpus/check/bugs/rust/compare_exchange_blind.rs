// selvedge: check
// expect: violation panic

//! Stock is reserved by compare-exchange, but the limit is checked against a value that was read earlier.

use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

const LIMIT: u32 = 1;

fn reserve(reserved: &AtomicU32) -> bool {
    let mut seen = reserved.load(Ordering::SeqCst);
    if seen >= LIMIT {
        return false;
    }
    loop {
        match reserved.compare_exchange(seen, seen + 1, Ordering::SeqCst, Ordering::SeqCst) {
            Ok(_) => return true,
            Err(found) => seen = found,
        }
    }
}

fn main() {
    let reserved = AtomicU32::new(0);
    thread::scope(|scope| {
        scope.spawn(|| reserve(&reserved));
        reserve(&reserved);
    });
    assert_eq!(reserved.into_inner(), LIMIT);
}
