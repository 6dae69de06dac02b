//! crate: atomic_refcell
use atomic_refcell::AtomicRefCell;
use rust_clients::both;

fn main() {
    let cell = AtomicRefCell::new(0);
    let add = || {
        if let Ok(mut value) = cell.try_borrow_mut() {
            *value += 1;
        }
    };
    both(add, add);
    assert!(matches!(*cell.borrow(), 1 | 2));
}
