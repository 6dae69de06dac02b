//! crate: spin
use rust_clients::both;
use spin::Mutex;

fn main() {
    let mutex = Mutex::new(0);
    let add = || *mutex.lock() += 1;
    both(add, add);
    assert_eq!(mutex.into_inner(), 2);
}
