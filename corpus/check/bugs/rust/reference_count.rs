// selvedge: check
// expect: violation memory

//! A hand-made `Arc`: its drop lowers the count and reads it once more, when the block may be gone.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

struct Inner {
    count: AtomicUsize,
    value: u32,
}

struct Shared(NonNull<Inner>);

unsafe impl Send for Shared {}

impl Shared {
    fn new(value: u32) -> Shared {
        let inner = Box::new(Inner { count: AtomicUsize::new(1), value });
        Shared(NonNull::from(Box::leak(inner)))
    }

    fn inner(&self) -> &Inner {
        unsafe { self.0.as_ref() }
    }
}

impl Clone for Shared {
    fn clone(&self) -> Shared {
        self.inner().count.fetch_add(1, Ordering::Relaxed);
        Shared(self.0)
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.inner().count.fetch_sub(1, Ordering::Release);
        if self.inner().count.load(Ordering::Acquire) == 0 {
            drop(unsafe { Box::from_raw(self.0.as_ptr()) });
        }
    }
}

fn main() {
    let mine = Shared::new(4);
    let theirs = mine.clone();
    let reader = thread::spawn(move || assert_eq!(theirs.inner().value, 4));
    drop(mine);
    reader.join().unwrap();
}
