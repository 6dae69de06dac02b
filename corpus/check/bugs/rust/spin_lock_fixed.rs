// selvedge: check
// expect: verified

//! A spin lock that sets its flag and learns in the same step whether it was set.

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

struct SpinLock<T> {
    locked: AtomicBool,
    value: UnsafeCell<T>,
}

unsafe impl<T: Send> Sync for SpinLock<T> {}

impl<T> SpinLock<T> {
    fn with(&self, change: impl FnOnce(&mut T)) {
        while self.locked.swap(true, Ordering::Acquire) {}
        change(unsafe { &mut *self.value.get() });
        self.locked.store(false, Ordering::Release);
    }
}

fn main() {
    let total = SpinLock { locked: AtomicBool::new(false), value: UnsafeCell::new(0) };
    thread::scope(|scope| {
        scope.spawn(|| total.with(|value| *value += 1));
        total.with(|value| *value += 1);
    });
    assert_eq!(total.value.into_inner(), 2);
}
