// selvedge: check
// expect: violation memory

//! Two threads clear a slot: each takes the pointer that it finds, frees it, and empties the slot afterwards.

use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::thread;

fn clear(slot: &AtomicPtr<u64>) {
    let found = slot.load(Ordering::SeqCst);
    if !found.is_null() {
        drop(unsafe { Box::from_raw(found) });
        slot.store(ptr::null_mut(), Ordering::SeqCst);
    }
}

fn main() {
    let slot = AtomicPtr::new(Box::into_raw(Box::new(1)));
    thread::scope(|scope| {
        scope.spawn(|| clear(&slot));
        clear(&slot);
    });
}
