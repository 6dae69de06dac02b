//! crate: haphazard
use haphazard::{AtomicPtr, HazardPointer};
use rust_clients::both;

fn main() {
    let shared = AtomicPtr::from(Box::new(1));
    both(
        || {
            let old = shared.swap(Box::new(2));
            unsafe { old.map(|old| old.retire()) };
        },
        || {
            let mut hazard = HazardPointer::new();
            assert!(matches!(shared.safe_load(&mut hazard), Some(1 | 2)));
        },
    );
}
