// selvedge: check
// expect: verified
// Each scoped thread writes to its own half, and nobody waits for them but the scope.
use std::thread;

fn main() {
    let mut numbers = [1, 2];
    thread::scope(|scope| {
        for number in &mut numbers {
            scope.spawn(move || *number *= 10);
        }
    });
    assert_eq!(numbers, [10, 20]);
}
