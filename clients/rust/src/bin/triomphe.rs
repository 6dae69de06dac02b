//! crate: triomphe
use rust_clients::both;
use triomphe::Arc;

fn main() {
    let shared = Arc::new(7);
    let copy = shared.clone();
    both(move || assert_eq!(*copy, 7), || assert_eq!(*shared.clone(), 7));
    assert_eq!(Arc::try_unique(shared).map(|unique| *unique).ok(), Some(7));
}
