//! crate: crossbeam-channel
use crossbeam_channel::unbounded;
use rust_clients::both;

fn main() {
    let (sender, receiver) = unbounded();
    let other = sender.clone();
    both(move || assert!(sender.send(1).is_ok()), move || assert!(other.send(2).is_ok()));
    assert_eq!(receiver.iter().sum::<i32>(), 3);
}
