//! crate: parking_lot
use parking_lot::Mutex;
use rust_clients::both;

fn main() {
    let mutex = Mutex::new(0);
    let add = || *mutex.lock() += 1;
    both(add, add);
    assert_eq!(mutex.into_inner(), 2);
}
