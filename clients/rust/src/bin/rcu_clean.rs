//! crate: rcu-clean
use rcu_clean::ArcRcu;
use rust_clients::both;

fn main() {
    let shared = ArcRcu::new(1);
    let copy = shared.clone();
    both(move || *copy.update() = 2, || assert!(matches!(*shared, 1 | 2)));
    assert_eq!(*shared, 2);
}
