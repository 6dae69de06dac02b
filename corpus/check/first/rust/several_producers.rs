// selvedge: check
// expect: verified
// Two producers share a channel; in which order their numbers come is open.
use std::sync::mpsc;
use std::thread;

fn main() {
    let (sender, receiver) = mpsc::channel();
    let second = sender.clone();
    let first = thread::spawn(move || sender.send(1).unwrap());
    let other = thread::spawn(move || second.send(2).unwrap());
    first.join().unwrap();
    other.join().unwrap();
    let mut heard: Vec<i32> = receiver.iter().collect();
    heard.sort_unstable();
    assert_eq!(heard, [1, 2]);
}
