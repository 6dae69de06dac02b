// selvedge: check --cflags="--cfg small"
// expect: verified
// selvedge: check --cflags="--cfg small --cfg bug"
// expect: violation panic
// slow: the way with the fewest context switches is searched for among many states

//! A sequence lock: one writer updates two values once, readers try once each; attempts that fail are given up.
//! With `bug` readers do not look whether an update is under way.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::thread;

const READERS: usize = if cfg!(small) { 2 } else { 8 };

#[derive(Default)]
struct SequenceLock {
    sequence: AtomicUsize,
    first: AtomicUsize,
    second: AtomicUsize,
}

impl SequenceLock {
    fn update(&self, value: usize) {
        self.sequence.store(1, SeqCst);
        self.first.store(value, SeqCst);
        self.second.store(value, SeqCst);
        self.sequence.store(2, SeqCst);
    }

    fn look(&self) -> Option<(usize, usize)> {
        let before = self.sequence.load(SeqCst);
        if before % 2 == 1 && !cfg!(bug) {
            return None;
        }
        let seen = (self.first.load(SeqCst), self.second.load(SeqCst));
        (self.sequence.load(SeqCst) == before).then_some(seen)
    }
}

fn main() {
    let values = Arc::new(SequenceLock::default());
    let writer = {
        let values = Arc::clone(&values);
        thread::spawn(move || values.update(1))
    };
    let readers: Vec<_> = (0..READERS)
        .map(|_| {
            let values = Arc::clone(&values);
            thread::spawn(move || {
                if let Some((first, second)) = values.look() {
                    assert_eq!(first, second);
                }
            })
        })
        .collect();
    writer.join().unwrap();
    for reader in readers {
        reader.join().unwrap();
    }
}
