//! crate: oneshot
use rust_clients::both;

fn main() {
    let (sender, receiver) = oneshot::channel();
    both(move || assert!(sender.send(7).is_ok()), || assert_eq!(receiver.recv(), Ok(7)));
}
