//! crate: mcslock
use mcslock::raw::spins::Mutex;
use rust_clients::both;

fn main() {
    let mutex = Mutex::new(0);
    let add = || mutex.lock_then(|mut value| *value += 1);
    both(add, add);
    assert_eq!(mutex.into_inner(), 2);
}
