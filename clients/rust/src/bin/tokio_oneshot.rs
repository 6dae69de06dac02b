//! crate: tokio
use rust_clients::{block_on, both};
use tokio::sync::oneshot;

fn main() {
    let (sender, receiver) = oneshot::channel();
    both(move || assert!(sender.send(7).is_ok()), || assert_eq!(block_on(receiver), Ok(7)));
}
