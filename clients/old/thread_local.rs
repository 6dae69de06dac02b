//! crate: thread_local 1.1.3
//! fixed: 1.1.4
//! advisory: RUSTSEC-2022-0006
//! expect: violation data-race, because an iterator finds the values of other threads with relaxed loads
use rust_clients::both;
use std::sync::atomic::{AtomicU32, Ordering};
use thread_local::ThreadLocal;

fn main() {
    let counts = ThreadLocal::with_capacity(1);
    let count = || counts.get_or(|| AtomicU32::new(0)).fetch_add(1, Ordering::Relaxed);
    let sum = || counts.iter().map(|count| count.load(Ordering::Relaxed)).sum::<u32>();
    assert_eq!(count(), 0);
    both(|| assert_eq!(count(), 0), || assert!(matches!(sum(), 1 | 2)));
}
