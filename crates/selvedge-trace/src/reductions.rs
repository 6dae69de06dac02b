//! The reductions: everything that a search leaves out because it makes no difference, each with a switch.
//!
//! With all of them off a search is the plain one. Tests and the fuzzer compare verdicts with each switched off;
//! `docs/search.md` has the claim behind each.

/// One thing that searches leave out. The one list: matches on it are exhaustive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reduction {
    /// Accesses to objects that no other thread can reach are no events.
    Privacy,
    /// Only one of the threads that can write nothing any more is interleaved with the rest.
    Observers,
    /// Stores that are overwritten before any thread reads them are left out.
    StoreElision,
    /// Persistent sets are computed from learned footprint summaries; without it all threads are explored.
    Summaries,
    /// A thread in an await loop, or before a lock that is held, is not explored while it would only wait again.
    AwaitLoops,
    /// Atomic additions commute where their results are only compared with constants.
    Additions,
    /// What a thread does only with the last reference is no part of its summary as long as others are there.
    LastReferences,
    /// Of executions that differ by exchanging equal threads one is explored.
    Symmetry,
    /// Under the language's models: sequentially consistent executions first, weaker ones only where they can differ.
    ScFirst,
    /// Further strategies are tried beside the first, and either's answer counts.
    Portfolio,
    /// Atomic stores of equal values commute, and a failing compare-exchange is a read.
    ValueMerging,
    /// The last thread alive runs to its end without being chosen.
    LastThread,
    /// A thread that would wake spuriously only to wait again, with nothing changed, does not wake.
    Stutters,
    /// What a thread does in Rust's standard library that waits for a mutex or is parked is one operation.
    StdModels,
    /// Inputs are choices between values of which each stands for others; without it all inputs are left to the search over
    /// paths.
    InputChoices,
}

impl Reduction {
    pub const ALL: &'static [Reduction] = &[
        Reduction::Privacy,
        Reduction::Observers,
        Reduction::StoreElision,
        Reduction::Summaries,
        Reduction::AwaitLoops,
        Reduction::Additions,
        Reduction::LastReferences,
        Reduction::Symmetry,
        Reduction::ScFirst,
        Reduction::Portfolio,
        Reduction::ValueMerging,
        Reduction::LastThread,
        Reduction::Stutters,
        Reduction::StdModels,
        Reduction::InputChoices,
    ];

    /// The word for options.
    pub fn name(self) -> &'static str {
        match self {
            Reduction::Privacy => "privacy",
            Reduction::Observers => "observers",
            Reduction::StoreElision => "store-elision",
            Reduction::Summaries => "summaries",
            Reduction::AwaitLoops => "await-loops",
            Reduction::Additions => "additions",
            Reduction::LastReferences => "last-references",
            Reduction::Symmetry => "symmetry",
            Reduction::ScFirst => "sc-first",
            Reduction::Portfolio => "portfolio",
            Reduction::ValueMerging => "value-merging",
            Reduction::LastThread => "last-thread",
            Reduction::Stutters => "stutters",
            Reduction::StdModels => "std-models",
            Reduction::InputChoices => "input-choices",
        }
    }
}

/// Which reductions are on; all of them by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reductions {
    off: u32,
}

impl Reductions {
    /// All on.
    pub const ON: Reductions = Reductions { off: 0 };
    /// All off: the plain search.
    pub const OFF: Reductions = Reductions { off: u32::MAX };

    /// Whether it is on.
    pub fn has(self, reduction: Reduction) -> bool {
        self.off & (1 << reduction as u32) == 0
    }

    /// The same, with one switched off.
    #[must_use]
    pub fn without(self, reduction: Reduction) -> Reductions {
        Reductions { off: self.off | 1 << reduction as u32 }
    }

    /// The same, without all that are off in the other.
    #[must_use]
    pub fn and(self, other: Reductions) -> Reductions {
        Reductions { off: self.off | other.off }
    }
}

impl Default for Reductions {
    fn default() -> Self {
        Reductions::ON
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_its_own_switch() {
        for &reduction in Reduction::ALL {
            let without = Reductions::ON.without(reduction);
            for &other in Reduction::ALL {
                assert_eq!(without.has(other), other != reduction, "{} {}", reduction.name(), other.name());
            }
        }
    }
}
