//! crate: internment 0.3.13
//! fixed: 0.4.0
//! advisory: RUSTSEC-2020-0017
//! expect: violation use-after-free, because a value whose last reference goes is found by another thread before it is forgotten
use internment::ArcIntern;
use rust_clients::both;

fn main() {
    let first = ArcIntern::new(7_u32);
    both(move || drop(first), || assert_eq!(*ArcIntern::new(7_u32), 7));
}
