//! crate: tokio
use rust_clients::{block_on, both};
use tokio::sync::mpsc;

fn main() {
    let (sender, mut receiver) = mpsc::channel(1);
    both(move || assert!(sender.try_send(7).is_ok()), || assert_eq!(block_on(receiver.recv()), Some(7)));
}
