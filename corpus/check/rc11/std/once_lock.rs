// selvedge: check --model rc11
// expect: verified
//
// Two threads fill a cell that is filled once, and see what one of them has put there.
use std::sync::OnceLock;
use std::thread;

static CELL: OnceLock<Vec<u32>> = OnceLock::new();

fn main() {
    let other = thread::spawn(|| CELL.get_or_init(|| vec![7]).len());
    assert_eq!(CELL.get_or_init(|| vec![8]).len(), 1);
    assert_eq!(other.join().unwrap(), 1);
}
