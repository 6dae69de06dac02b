//! crate: thread_local
use rust_clients::both;
use std::cell::Cell;
use thread_local::ThreadLocal;

fn main() {
    let own = ThreadLocal::new();
    let set = |value| own.get_or(|| Cell::new(0)).set(value);
    both(|| set(1), || set(2));
    // A thread that begins when the other one has ended gets its place, and its value.
    assert!(matches!(own.into_iter().map(|cell| cell.get()).sum::<i32>(), 2 | 3));
}
