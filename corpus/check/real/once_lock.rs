// selvedge: check --model sc -- 1
// expect: verified

//! Threads ask for a value that the library's `OnceLock` computes once, behind a `Once` that counts.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Once, OnceLock};
use std::thread;

static VALUE: OnceLock<u32> = OnceLock::new();
static PREPARED: Once = Once::new();
static COMPUTED: AtomicU32 = AtomicU32::new(0);

fn value() -> u32 {
    PREPARED.call_once(|| {
        COMPUTED.fetch_add(1, Ordering::Relaxed);
    });
    *VALUE.get_or_init(|| {
        COMPUTED.fetch_add(1, Ordering::Relaxed);
        42
    })
}

fn main() {
    let others: u32 = std::env::args().nth(1).map_or(2, |argument| argument.parse().unwrap());
    thread::scope(|scope| {
        for _ in 0..others {
            scope.spawn(|| assert_eq!(value(), 42));
        }
        assert_eq!(value(), 42);
    });
    assert_eq!(COMPUTED.load(Ordering::Relaxed), 2);
}
