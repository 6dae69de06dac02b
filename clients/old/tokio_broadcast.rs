//! crate: tokio 1.44.1
//! fixed: 1.44.2
//! with: default-features = false, features = ["sync"]
//! advisory: RUSTSEC-2025-0023
//! expect: violation data-race, because two receivers clone one value at the same time, and it need not be Sync
use rust_clients::both;
use std::cell::Cell;
use tokio::sync::broadcast;

/// Counts how often it was cloned.
struct Counted(Cell<u32>);

impl Clone for Counted {
    fn clone(&self) -> Self {
        self.0.set(self.0.get() + 1);
        Counted(Cell::new(0))
    }
}

fn main() {
    let (sender, mut one) = broadcast::channel(1);
    let mut other = sender.subscribe();
    assert!(sender.send(Counted(Cell::new(0))).is_ok());
    both(move || assert!(one.try_recv().is_ok()), move || assert!(other.try_recv().is_ok()));
}
