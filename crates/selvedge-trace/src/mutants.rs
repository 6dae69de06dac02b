//! Deliberate mistakes, for tests alone: each drops one assumption that a reduction rests on.
//!
//! `make test` shows for each that the answer to some program becomes wrong with it: then the assumption is needed, and a
//! test would notice if the code lost it. Builds without debug assertions have none of them: there [`mutant`] is `false`
//! and costs nothing.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Defines the mutants: name for options and the assumption that is dropped.
macro_rules! mutants {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal,)*) => {
        /// A deliberate mistake. The one list.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Mutant {
            /// The code as it is.
            None,
            $($(#[doc = $doc])+ $variant,)*
        }

        impl Mutant {
            /// All of them.
            pub const ALL: &'static [Mutant] = &[$(Mutant::$variant,)*];

            /// The word for tests.
            pub fn name(self) -> &'static str {
                match self {
                    Mutant::None => "none",
                    $(Mutant::$variant => $name,)*
                }
            }
        }
    };
}

mutants! {
    /// Where every operation is a step the buffer of the last thread alive is drained all the same, by none.
    SwallowedCommit = "swallowed-commit",
    /// What `sem_getvalue` shows comes after the posts that it has seen.
    SemGetvalueOrdered = "sem-getvalue-ordered",
    /// An attempt to lock that fails comes after what has taken the lock.
    TryLockOrdered = "trylock-ordered",
    /// States of graphs do not say how a weak compare-exchange will come out.
    WeakExchangeForgotten = "weak-exchange-forgotten",
    /// What sleeps stays asleep when something happens that it depends on.
    SleepSetKept = "sleep-set-kept",
    /// Operations that may have to wait overtake nothing.
    WaitingNotReversed = "waiting-not-reversed",
    /// Threads that are created with different arguments are equal.
    SymmetryWithoutArguments = "symmetry-without-arguments",
    /// In executions that look back a compare-exchange that fails has read the last store.
    LookbackExchangeLast = "lookback-exchange-last",
    /// A release sequence ends with the next read-modify-write.
    ReleaseSequenceDropped = "release-sequence-dropped",
    /// A round of a loop that has written something counts as one that has not.
    AwaitLoopWrites = "await-loop-writes",
    /// Fences do not take part in the order of sequentially consistent events.
    ScFenceIgnored = "sc-fence-ignored",
    /// Floats are passed in other registers than integers.
    FloatsInGeneralRegisters = "floats-in-general-registers",
    /// What is passed through another type is cut to the type that receives it.
    CutArguments = "cut-arguments",
}

static ACTIVE: AtomicUsize = AtomicUsize::new(0);

/// Makes this mistake from now on, in the whole process.
pub fn activate(mutant: Mutant) {
    ACTIVE.store(mutant as usize, Ordering::Relaxed);
}

/// Whether this mistake is to be made.
#[inline(always)]
pub fn mutant(mutant: Mutant) -> bool {
    cfg!(debug_assertions) && ACTIVE.load(Ordering::Relaxed) == mutant as usize
}
