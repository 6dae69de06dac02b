// selvedge: check
// expect: verified
// Scoped threads borrow what main owns.
use std::thread;

fn main() {
    let numbers = [1, 2, 3, 4];
    let (left, right) = numbers.split_at(2);
    let sum = thread::scope(|scope| {
        let first = scope.spawn(|| left.iter().sum::<i32>());
        let second = scope.spawn(|| right.iter().sum::<i32>());
        first.join().unwrap() + second.join().unwrap()
    });
    assert_eq!(sum, 10);
}
