//! crate: spin 0.9.7
//! fixed: 0.9.8
//! advisory: RUSTSEC-2023-0031
//! expect: violation panic, because one thread's failure is taken for impossible by another one that waits
use rust_clients::both;
use spin::Once;

fn main() {
    let once = Once::<u32>::new();
    both(
        || assert_eq!(once.try_call_once(|| Err(1)).unwrap_or(&2), &2),
        || assert_eq!(once.try_call_once(|| Ok::<_, u32>(2)), Ok(&2)),
    );
}
