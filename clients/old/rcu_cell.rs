//! crate: rcu_cell 0.1.8
//! refused: 0.1.9
//! advisory: RUSTSEC-2020-0131
//! expect: violation data-race, because any value may be shared, one that must not be too
use rcu_cell::RcuCell;
use rust_clients::both;
use std::cell::Cell;

fn main() {
    let cell = RcuCell::new(Some(Cell::new(0)));
    let add = || {
        if let Some(value) = cell.read() {
            value.set(value.get() + 1);
        }
    };
    both(add, add);
}
