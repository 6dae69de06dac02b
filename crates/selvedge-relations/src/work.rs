//! Graphs that are still to be extended, shared by the workers that extend them.

use crate::explore::Open;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Graphs that are still to be extended.
#[derive(Debug, Serialize, Deserialize)]
pub struct OpenGraphs(Vec<Open>);

impl Default for OpenGraphs {
    /// All graphs of a program: the empty one.
    fn default() -> Self {
        OpenGraphs(vec![Open::default()])
    }
}

/// What is left to do for several workers: each has graphs of its own, and gives some away when others have none.
#[derive(Debug)]
pub struct Work {
    shared: Mutex<Shared>,
    changed: Condvar,
    workers: usize,
    /// How many have nothing to do.
    idle: AtomicUsize,
    /// All workers give back what they have, and end.
    pauses: AtomicBool,
}

#[derive(Debug)]
struct Shared {
    open: OpenGraphs,
    over: bool,
}

impl Work {
    /// Some graphs, for so many workers.
    pub fn new(workers: usize, open: OpenGraphs) -> Self {
        let shared = Mutex::new(Shared { open, over: false });
        let (idle, pauses) = (AtomicUsize::new(0), AtomicBool::new(false));
        Work { shared, changed: Condvar::new(), workers: workers.max(1), idle, pauses }
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All workers end what they are at and do nothing else.
    pub fn stop(&self) {
        self.lock().over = true;
        self.changed.notify_all();
    }

    /// All workers give back what they have, and end.
    pub fn pause(&self) {
        let _shared = self.lock();
        self.pauses.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// What is left to do when all workers have ended because of a pause, after which they can begin again; nothing where
    /// they have ended because nothing was left, or were told to stop.
    pub fn resume<T>(&self, keep: impl FnOnce(&OpenGraphs) -> T) -> Option<T> {
        let shared = self.lock();
        self.idle.store(0, Ordering::Relaxed);
        (self.pauses.swap(false, Ordering::Relaxed) && !shared.over).then(|| keep(&shared.open))
    }

    /// Something to do for a worker that has nothing; nothing if all have nothing, or are to end.
    pub(crate) fn take(&self) -> Option<Open> {
        let mut shared = self.lock();
        let mut waits = false;
        loop {
            if shared.over || self.pauses.load(Ordering::Relaxed) {
                return None;
            }
            if let Some(open) = shared.open.0.pop() {
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

    /// Gives a worker's oldest graph, which is the least extended, to one that has nothing to do, or all where there is a
    /// pause. Whether the worker is to end.
    pub(crate) fn share(&self, open: &mut Vec<Open>) -> bool {
        let pauses = self.pauses.load(Ordering::Relaxed);
        if self.workers == 1 && !pauses {
            return false;
        }
        let mut shared = self.lock();
        if pauses {
            shared.open.0.append(open);
        } else if self.idle.load(Ordering::Relaxed) > 0 && shared.open.0.is_empty() && open.len() > 1 {
            shared.open.0.push(open.remove(0));
            self.changed.notify_one();
        }
        shared.over || pauses
    }

    /// Whether a worker has told all others to stop.
    pub(crate) fn is_over(&self) -> bool {
        self.workers > 1 && self.lock().over
    }
}
