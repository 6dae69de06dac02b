//! crate: tokio
use rust_clients::{block_on, both};
use tokio::sync::Semaphore;

fn main() {
    let semaphore = Semaphore::new(1);
    let take = || assert!(block_on(semaphore.acquire()).is_ok());
    both(take, take);
    assert_eq!(semaphore.available_permits(), 1);
}
