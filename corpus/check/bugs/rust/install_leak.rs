// selvedge: check --leaks
// expect: violation leak

//! Two threads install a table; who loses the compare-exchange forgets the table that it has built.

use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::thread;

fn install(slot: &AtomicPtr<[u32; 4]>) {
    let table = Box::into_raw(Box::new([0, 1, 4, 9]));
    let _ = slot.compare_exchange(ptr::null_mut(), table, Ordering::AcqRel, Ordering::Acquire);
}

fn main() {
    let slot = AtomicPtr::new(ptr::null_mut());
    thread::scope(|scope| {
        scope.spawn(|| install(&slot));
        if slot.load(Ordering::Acquire).is_null() {
            install(&slot);
        }
    });
    drop(unsafe { Box::from_raw(slot.into_inner()) });
}
