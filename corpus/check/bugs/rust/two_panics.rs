// selvedge: check --model sc --keep-going
// expect: violation panic line 18
// expect: violation panic line 19
//
// Panics are told apart by where they begin, although the program ends with the same code after each.

use std::sync::atomic::{AtomicI32, Ordering::SeqCst};

static FIRST: AtomicI32 = AtomicI32::new(0);
static SECOND: AtomicI32 = AtomicI32::new(0);

fn main() {
    let thread = std::thread::spawn(|| {
        SECOND.store(1, SeqCst);
        assert_eq!(FIRST.load(SeqCst), 0);
    });
    FIRST.store(1, SeqCst);
    assert_eq!(SECOND.load(SeqCst), 0);
    thread.join().unwrap();
}
