//! crate: tokio
use rust_clients::{block_on, both};
use tokio::sync::Notify;

fn main() {
    let notify = Notify::new();
    both(|| notify.notify_one(), || block_on(notify.notified()));
}
