// selvedge: check
// expect: verified
// Each thread takes a vector of its own along.
use std::thread;

fn main() {
    let words = vec!["one", "two", "three"];
    let lengths = vec![3, 3, 5];
    let longest = thread::spawn(move || words.iter().map(|word| word.len()).max());
    let sum = thread::spawn(move || lengths.iter().sum::<usize>());
    assert_eq!(sum.join().unwrap(), 11);
    assert_eq!(longest.join().unwrap(), Some(5));
}
