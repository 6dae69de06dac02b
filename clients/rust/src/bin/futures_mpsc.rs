//! crate: futures
use futures::StreamExt;
use futures::channel::mpsc;
use rust_clients::{block_on, both};

fn main() {
    let (sender, mut receiver) = mpsc::unbounded();
    both(
        move || assert!(sender.unbounded_send(7).is_ok()),
        || assert_eq!(block_on(receiver.next()), Some(7)),
    );
}
