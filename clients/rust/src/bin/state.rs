//! crate: state
use rust_clients::both;
use state::InitCell;

fn main() {
    let cell = InitCell::new();
    let mut set = [false; 2];
    let [first, second] = &mut set;
    both(|| *first = cell.set(1), || *second = cell.set(2));
    assert!(set[0] != set[1]);
}
