//! crate: tokio
use rust_clients::{block_on, both};
use tokio::sync::Mutex;

fn main() {
    let mutex = Mutex::new(0);
    let add = || *block_on(mutex.lock()) += 1;
    both(add, add);
    assert_eq!(mutex.into_inner(), 2);
}
