// selvedge: check --cflags="--cfg small"
// expect: verified
// selvedge: check --cflags="--cfg small --cfg bug"
// expect: violation data-race

//! A ticket lock with the weakest orders that suffice; threads increment a plain counter under it.
//! With `bug` nobody waits.

use std::cell::UnsafeCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

const THREADS: usize = if cfg!(small) { 2 } else { 4 };

#[derive(Default)]
struct Ticket<T> {
    next: AtomicUsize,
    serving: AtomicUsize,
    value: UnsafeCell<T>,
}

// SAFETY: the value is only reached between drawing a ticket and handing on, one thread at a time.
unsafe impl<T: Send> Sync for Ticket<T> {}

impl<T> Ticket<T> {
    fn with<R>(&self, action: impl FnOnce(&mut T) -> R) -> R {
        let mine = self.next.fetch_add(1, Ordering::Relaxed);
        while !cfg!(bug) && self.serving.load(Ordering::Acquire) != mine {
            std::hint::spin_loop();
        }
        // SAFETY: this thread is being served, and nobody else until it hands on.
        let result = action(unsafe { &mut *self.value.get() });
        self.serving.store(mine + 1, Ordering::Release);
        result
    }
}

fn main() {
    let counter = Arc::new(Ticket::<usize>::default());
    let threads: Vec<_> = (0..THREADS)
        .map(|_| {
            let counter = Arc::clone(&counter);
            thread::spawn(move || counter.with(|value| *value += 1))
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(counter.with(|value| *value), THREADS);
}
