//! crate: tokio
use rust_clients::both;
use tokio::sync::watch;

fn main() {
    let (sender, receiver) = watch::channel(1);
    both(|| assert!(sender.send(2).is_ok()), || assert!(matches!(*receiver.borrow(), 1 | 2)));
}
