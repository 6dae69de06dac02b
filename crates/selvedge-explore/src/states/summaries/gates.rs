//! Words of whose value a thread uses nothing but comparisons: what it does for some values alone.
//!
//! A count of references is compared with one, and what follows then, the destructor, is far more than what follows
//! otherwise. As long as the word does not get to such values the thread does not come there: the word is a gate.

use selvedge_machine::{Adds, Count, Span};
use smallvec::SmallVec;

/// A word, and between what values it stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Gate {
    pub start: u64,
    pub end: u64,
    pub low: i64,
    pub high: i64,
}

/// Words that stay between bounds, sorted by address.
pub type Gates = SmallVec<[Gate; 4]>;

impl Gate {
    /// A word that holds something.
    pub fn new((start, end): (u64, u64), value: i64) -> Self {
        Gate { start, end, low: value, high: value }
    }

    /// The bytes of the word.
    pub fn span(&self) -> Span {
        let (start, end) = (self.start, self.end);
        Span { start, end, read: true, write: true, plain: false, value: None, adds: None }
    }

    /// Whether a thread can find such a value: before it adds something the word holds what is between the bounds, and
    /// afterwards too.
    pub fn admits(&self, bound: &Count) -> bool {
        let Adds { delta, low, high, .. } = bound.adds;
        let least = self.low.max(self.low.saturating_sub(delta));
        let most = self.high.min(self.high.saturating_sub(delta));
        (self.start, self.end) != (bound.start, bound.end) || low <= most && least <= high
    }
}

/// Whether both are about the same operation on the same word.
fn alike(one: Count, other: Count) -> bool {
    (one.start, one.end, one.adds.delta) == (other.start, other.end, other.adds.delta)
}

/// Whether all values of one are among those of another.
pub(super) fn covers(one: Count, other: Count) -> bool {
    alike(one, other) && one.adds.low <= other.adds.low && other.adds.high <= one.adds.high
}

/// What contains the values of both.
pub(super) fn hull(one: Count, other: Count) -> Option<Count> {
    let (low, high) = (one.adds.low.min(other.adds.low), one.adds.high.max(other.adds.high));
    alike(one, other).then_some(Count { adds: Adds { low, high, ..one.adds }, ..one })
}
