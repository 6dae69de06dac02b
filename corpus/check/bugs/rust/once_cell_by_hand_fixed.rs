// selvedge: check
// expect: verified

//! A cell that is filled once, by whoever claims it; the others wait until it is full.

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;

const EMPTY: u8 = 0;
const BUSY: u8 = 1;
const FULL: u8 = 2;

struct Once<T> {
    state: AtomicU8,
    value: UnsafeCell<Option<T>>,
}

unsafe impl<T: Send + Sync> Sync for Once<T> {}

impl<T> Once<T> {
    fn get_or_init(&self, init: impl FnOnce() -> T) -> &T {
        match self.state.compare_exchange(EMPTY, BUSY, Ordering::Acquire, Ordering::Acquire) {
            Ok(_) => {
                let value = init();
                unsafe { *self.value.get() = Some(value) };
                self.state.store(FULL, Ordering::Release);
            }
            Err(_) => while self.state.load(Ordering::Acquire) != FULL {},
        }
        unsafe { (*self.value.get()).as_ref().unwrap() }
    }
}

fn main() {
    let once = Once { state: AtomicU8::new(EMPTY), value: UnsafeCell::new(None) };
    thread::scope(|scope| {
        scope.spawn(|| assert_eq!(*once.get_or_init(|| 5), 5));
        assert_eq!(*once.get_or_init(|| 5), 5);
    });
}
