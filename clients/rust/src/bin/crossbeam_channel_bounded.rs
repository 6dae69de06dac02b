//! crate: crossbeam-channel
use crossbeam_channel::bounded;
use rust_clients::both;

fn main() {
    let (sender, receiver) = bounded(1);
    both(move || assert!(sender.send(7).is_ok()), || assert_eq!(receiver.recv(), Ok(7)));
}
