//! The accounts as others use them.

use ledger::Careful;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

#[test]
fn two_take_what_two_put() {
    let account = Arc::new(Careful(AtomicU64::new(2)));
    let other = account.clone();
    let taker = thread::spawn(move || other.take());
    assert!(account.take());
    assert!(taker.join().unwrap());
    assert_eq!(account.0.load(Ordering::Relaxed), 0);
}
