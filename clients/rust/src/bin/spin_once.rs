//! crate: spin
use rust_clients::both;
use spin::Once;

fn main() {
    let once = Once::new();
    both(
        || assert!(matches!(once.call_once(|| 1), 1 | 2)),
        || assert!(matches!(once.call_once(|| 2), 1 | 2)),
    );
}
