//! crate: flume
use rust_clients::both;

fn main() {
    let (sender, receiver) = flume::bounded(1);
    both(move || assert!(sender.send(7).is_ok()), || assert_eq!(receiver.recv(), Ok(7)));
}
