//! Graphs that are still to be extended, shared by the workers that extend them.

use crate::explore::Open;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// What is left to do for several workers: each has graphs of its own, and gives some away when others have none.
#[derive(Debug)]
pub struct Work {
    shared: Mutex<Shared>,
    changed: Condvar,
    workers: usize,
    /// How many have nothing to do.
    idle: AtomicUsize,
}

#[derive(Debug)]
struct Shared {
    open: Vec<Open>,
    over: bool,
}

impl Work {
    /// All graphs of a program, for so many workers.
    pub fn new(workers: usize) -> Self {
        let shared = Mutex::new(Shared { open: vec![Open::default()], over: false });
        Work { shared, changed: Condvar::new(), workers: workers.max(1), idle: AtomicUsize::new(0) }
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All workers end what they are at and do nothing else.
    pub fn stop(&self) {
        self.lock().over = true;
        self.changed.notify_all();
    }

    /// Something to do for a worker that has nothing; nothing if all have nothing, or are to stop.
    pub(crate) fn take(&self) -> Option<Open> {
        let mut shared = self.lock();
        let mut waits = false;
        loop {
            if shared.over {
                return None;
            }
            if let Some(open) = shared.open.pop() {
                if waits {
                    self.idle.fetch_sub(1, Ordering::Relaxed);
                }
                return Some(open);
            }
            if !waits {
                waits = true;
                if self.idle.fetch_add(1, Ordering::Relaxed) + 1 == self.workers {
                    shared.over = true;
                    self.changed.notify_all();
                    return None;
                }
            }
            shared = self.changed.wait(shared).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Gives a worker's oldest graph, which is the least extended, to one that has nothing to do. Whether all are to
    /// stop.
    pub(crate) fn share(&self, open: &mut Vec<Open>) -> bool {
        if self.workers == 1 {
            return false;
        }
        let mut shared = self.lock();
        if self.idle.load(Ordering::Relaxed) > 0 && shared.open.is_empty() && open.len() > 1 {
            shared.open.push(open.remove(0));
            self.changed.notify_one();
        }
        shared.over
    }
}
