//! crate: tokio 1.13.0
//! fixed: 1.13.1
//! with: default-features = false, features = ["sync"]
//! advisory: RUSTSEC-2021-0124
//! expect: violation data-race, because sender and receiver of a closed channel both take the value
use rust_clients::both;
use tokio::sync::oneshot;

fn main() {
    let (sender, mut receiver) = oneshot::channel::<Box<u32>>();
    both(
        || drop(sender.send(Box::new(1))),
        || {
            receiver.close();
            assert!(receiver.try_recv().map_or(1, |value| *value) == 1);
        },
    );
}
