// selvedge: run
// expect: exit 0
// seeds: 5
// native: same
// stdout: [0, 0, 0, 1, 1, 1, 2, 2, 2]

//! A hand-written spin lock protects plain data through `UnsafeCell`.

use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

struct SpinLock<T> {
    locked: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY: the flag admits one guard at a time.
unsafe impl<T: Send> Sync for SpinLock<T> {}

struct Guard<'a, T>(&'a SpinLock<T>);

impl<T> SpinLock<T> {
    const fn new(value: T) -> Self {
        SpinLock { locked: AtomicBool::new(false), value: UnsafeCell::new(value) }
    }

    fn lock(&self) -> Guard<'_, T> {
        while self.locked.swap(true, Ordering::Acquire) {
            while self.locked.load(Ordering::Relaxed) {
                thread::yield_now();
            }
        }
        Guard(self)
    }
}

impl<T> Deref for Guard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        // SAFETY: the guard holds the lock.
        unsafe { &*self.0.value.get() }
    }
}

impl<T> DerefMut for Guard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: the guard holds the lock.
        unsafe { &mut *self.0.value.get() }
    }
}

impl<T> Drop for Guard<'_, T> {
    fn drop(&mut self) {
        self.0.locked.store(false, Ordering::Release);
    }
}

static WORDS: SpinLock<Vec<usize>> = SpinLock::new(Vec::new());

fn main() {
    thread::scope(|scope| {
        for id in 0..3 {
            scope.spawn(move || {
                for _ in 0..3 {
                    WORDS.lock().push(id);
                }
            });
        }
    });
    let mut words = WORDS.lock();
    words.sort_unstable();
    println!("{:?}", *words);
}
