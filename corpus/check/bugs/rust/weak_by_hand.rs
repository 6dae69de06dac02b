// selvedge: check
// expect: violation memory

//! A hand-made weak pointer: it sees that the value is alive and adds an owner in two steps, after which the
//! value is gone.

use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::thread;

/// A value and its owners; the block itself outlives all of them.
struct Shared {
    owners: AtomicUsize,
    value: AtomicPtr<u32>,
}

impl Shared {
    fn upgrade(&self) -> bool {
        if self.owners.load(Ordering::SeqCst) == 0 {
            return false;
        }
        self.owners.fetch_add(1, Ordering::SeqCst);
        true
    }

    fn release(&self) {
        if self.owners.fetch_sub(1, Ordering::SeqCst) == 1 {
            drop(unsafe { Box::from_raw(self.value.load(Ordering::SeqCst)) });
        }
    }
}

fn main() {
    let shared = Shared { owners: AtomicUsize::new(1), value: AtomicPtr::new(ptr::null_mut()) };
    shared.value.store(Box::into_raw(Box::new(6)), Ordering::SeqCst);
    thread::scope(|scope| {
        scope.spawn(|| {
            if shared.upgrade() {
                let value = unsafe { *shared.value.load(Ordering::SeqCst) };
                assert_eq!(value, 6);
                shared.release();
            }
        });
        shared.release();
    });
}
