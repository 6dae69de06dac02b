//! crate: spin 0.5.1
//! fixed: 0.5.2
//! advisory: RUSTSEC-2019-0013
//! expect: violation data-race, because the lock is taken and given back with relaxed accesses
use rust_clients::both;
use spin::RwLock;

fn main() {
    let lock = RwLock::new(0);
    let add = || *lock.write() += 1;
    both(add, add);
    assert_eq!(lock.into_inner(), 2);
}
