// selvedge: check
// expect: violation data-race

//! A cell that is filled once: whether it is empty and that it is full now are two steps.

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

struct Once<T> {
    full: AtomicBool,
    value: UnsafeCell<Option<T>>,
}

unsafe impl<T: Send + Sync> Sync for Once<T> {}

impl<T> Once<T> {
    fn get_or_init(&self, init: impl FnOnce() -> T) -> &T {
        if !self.full.load(Ordering::Acquire) {
            let value = init();
            unsafe { *self.value.get() = Some(value) };
            self.full.store(true, Ordering::Release);
        }
        unsafe { (*self.value.get()).as_ref().unwrap() }
    }
}

fn main() {
    let once = Once { full: AtomicBool::new(false), value: UnsafeCell::new(None) };
    thread::scope(|scope| {
        scope.spawn(|| assert_eq!(*once.get_or_init(|| 5), 5));
        assert_eq!(*once.get_or_init(|| 5), 5);
    });
}
