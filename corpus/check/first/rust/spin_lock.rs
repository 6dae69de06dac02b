// selvedge: check
// expect: verified
// A lock of one's own, made of one flag.
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

struct SpinLock {
    locked: AtomicBool,
    value: UnsafeCell<u32>,
}

// SAFETY: whoever has the value has locked it.
unsafe impl Sync for SpinLock {}

static SHARED: SpinLock = SpinLock { locked: AtomicBool::new(false), value: UnsafeCell::new(0) };

impl SpinLock {
    fn with<R>(&self, act: impl FnOnce(&mut u32) -> R) -> R {
        while self.locked.swap(true, Ordering::Acquire) {
            std::hint::spin_loop();
        }
        // SAFETY: it is locked.
        let result = act(unsafe { &mut *self.value.get() });
        self.locked.store(false, Ordering::Release);
        result
    }
}

fn main() {
    let handles: Vec<_> = (0..2).map(|_| thread::spawn(|| SHARED.with(|value| *value += 1))).collect();
    SHARED.with(|value| *value += 1);
    for handle in handles {
        handle.join().unwrap();
    }
    assert_eq!(SHARED.with(|value| *value), 3);
}
