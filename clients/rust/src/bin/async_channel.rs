//! crate: async-channel
use async_channel::bounded;
use rust_clients::{block_on, both};

fn main() {
    let (sender, receiver) = bounded(1);
    both(move || assert!(block_on(sender.send(7)).is_ok()), || assert_eq!(block_on(receiver.recv()), Ok(7)));
}
