//! crate: futures-util 0.3.6
//! refused: 0.3.7
//! with: default-features = false, features = ["std"]
//! besides: futures-core futures-task
//! advisory: RUSTSEC-2020-0059
//! expect: violation data-race, because a guard of a part of a value may be shared although the part must not be
use futures_util::lock::{Mutex, MutexGuard};
use rust_clients::both;
use std::cell::Cell;

fn main() {
    let mutex = Mutex::new(1);
    let leaked: &'static Cell<u32> = Box::leak(Box::new(Cell::new(0)));
    let mut reference = leaked;
    let Some(guard) = mutex.try_lock() else { return };
    let guard = MutexGuard::map(guard, |_| &mut reference);
    both(|| guard.set(guard.get() + 1), || leaked.set(leaked.get() + 1));
}
