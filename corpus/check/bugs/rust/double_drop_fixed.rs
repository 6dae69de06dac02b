// selvedge: check
// expect: verified

//! Two threads clear a slot: each swaps the pointer out and frees what it got.

use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::thread;

fn clear(slot: &AtomicPtr<u64>) {
    let found = slot.swap(ptr::null_mut(), Ordering::SeqCst);
    if !found.is_null() {
        drop(unsafe { Box::from_raw(found) });
    }
}

fn main() {
    let slot = AtomicPtr::new(Box::into_raw(Box::new(1)));
    thread::scope(|scope| {
        scope.spawn(|| clear(&slot));
        clear(&slot);
    });
}
