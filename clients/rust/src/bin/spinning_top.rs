//! crate: spinning_top
use rust_clients::both;
use spinning_top::Spinlock;

fn main() {
    let mutex = Spinlock::new(0);
    let add = || *mutex.lock() += 1;
    both(add, add);
    assert_eq!(*mutex.lock(), 2);
}
