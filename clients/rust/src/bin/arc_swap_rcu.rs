//! crate: arc-swap
use arc_swap::ArcSwap;
use rust_clients::both;

fn main() {
    let shared = ArcSwap::from_pointee(0);
    let add = || drop(shared.rcu(|old| **old + 1));
    both(add, add);
    assert_eq!(**shared.load(), 2);
}
