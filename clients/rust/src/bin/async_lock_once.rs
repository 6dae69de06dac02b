//! crate: async-lock
use async_lock::OnceCell;
use rust_clients::{block_on, both};

fn main() {
    let cell = OnceCell::new();
    both(
        || assert!(matches!(block_on(cell.get_or_init(|| async { 1 })), 1 | 2)),
        || assert!(matches!(block_on(cell.get_or_init(|| async { 2 })), 1 | 2)),
    );
    assert!(cell.get().is_some());
}
