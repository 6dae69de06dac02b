//! crate: async-broadcast
use async_broadcast::broadcast;
use rust_clients::both;

fn main() {
    let (sender, mut receiver) = broadcast(2);
    both(
        move || assert!(sender.try_broadcast(7).is_ok()),
        || {
            if let Ok(value) = receiver.try_recv() {
                assert_eq!(value, 7);
            }
        },
    );
}
