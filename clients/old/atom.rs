//! crate: atom 0.3.5
//! refused: 0.3.6
//! advisory: RUSTSEC-2020-0044
//! expect: violation data-race, because any pointer may be shared, one to what must not be too
use atom::Atom;
use rust_clients::both;
use std::rc::Rc;

fn main() {
    let kept = Rc::new(1);
    let shared = Atom::new(Box::new(kept.clone()));
    both(|| drop(shared.take()), move || drop(kept));
}
