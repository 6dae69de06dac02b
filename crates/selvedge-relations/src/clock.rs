//! Vector clocks: how many events of each thread come before.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// For each thread the number of its first events that are included. Threads beyond the end have none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock(SmallVec<[u32; 8]>);

impl Clock {
    /// Whether nothing is included.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many events of a thread are included.
    #[inline]
    pub fn of(&self, thread: u32) -> u32 {
        self.0.get(thread as usize).copied().unwrap_or(0)
    }

    /// Includes all that the other does.
    pub fn join(&mut self, other: &Clock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (own, &others) in self.0.iter_mut().zip(&other.0) {
            *own = (*own).max(others);
        }
    }

    /// Includes at least so many events of a thread.
    pub fn raise(&mut self, thread: u32, count: u32) {
        let thread = thread as usize;
        if self.0.len() <= thread {
            self.0.resize(thread + 1, 0);
        }
        self.0[thread] = self.0[thread].max(count);
    }
}
