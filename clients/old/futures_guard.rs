//! crate: futures-intrusive 0.3.1
//! refused: 0.4.0
//! advisory: RUSTSEC-2020-0072
//! expect: violation data-race, because the guard of a lock may be shared although the value must not be
use futures_intrusive::sync::Mutex;
use rust_clients::both;
use std::cell::Cell;

fn main() {
    let mutex = Mutex::new(Cell::new(0), true);
    let Some(guard) = mutex.try_lock() else { return };
    let add = || guard.set(guard.get() + 1);
    both(add, add);
}
