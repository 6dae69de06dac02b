// selvedge: check --leaks
// expect: verified

//! Two threads install a table; who loses the compare-exchange frees the table that it has built.

use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::thread;

fn install(slot: &AtomicPtr<[u32; 4]>) {
    let table = Box::into_raw(Box::new([0, 1, 4, 9]));
    if slot.compare_exchange(ptr::null_mut(), table, Ordering::AcqRel, Ordering::Acquire).is_err() {
        drop(unsafe { Box::from_raw(table) });
    }
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
