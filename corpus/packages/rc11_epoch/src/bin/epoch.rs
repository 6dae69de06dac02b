//! Epochs: what is replaced is freed when nobody can be reading it any more.

use crossbeam_epoch::{Atomic, Collector, LocalHandle, Owned};
use rc11_libraries::both;
use std::sync::atomic::Ordering::{AcqRel, Acquire};

/// A participant that was registered for another thread.
struct Given(LocalHandle);

// SAFETY: each is used by one thread at a time.
unsafe impl Sync for Given {}

impl Given {
    fn handle(&self) -> &LocalHandle {
        &self.0
    }
}

fn main() {
    let collector = Collector::new();
    let (reader, writer) = (Given(collector.register()), Given(collector.register()));
    // Who pins for the first time collects; that is done before there are threads.
    drop((reader.0.pin(), writer.0.pin()));
    let shared = Atomic::new(1);
    both(
        || {
            let guard = reader.handle().pin();
            // SAFETY: the guard keeps it.
            let value = unsafe { *shared.load(Acquire, &guard).deref() };
            assert!(value == 1 || value == 2);
        },
        || {
            let guard = writer.handle().pin();
            let old = shared.swap(Owned::new(2), AcqRel, &guard);
            // SAFETY: nobody can come to it from now on.
            unsafe { guard.defer_destroy(old) };
            guard.flush();
            drop(guard);
            // Two epochs later it is gone.
            writer.handle().pin().flush();
        },
    );
    // SAFETY: the other thread has ended.
    drop(unsafe { shared.into_owned() });
}
