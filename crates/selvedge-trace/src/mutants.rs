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
    /// Two states are the same though one holds a number where the other holds an input that has this value.
    ExpressionsUnhashed = "expressions-unhashed",
    /// Stores of equal values commute though one of them is an input.
    /// Where every operation is a step the buffer of the last thread alive is drained all the same, by none.
    SwallowedCommit = "swallowed-commit",
    /// A barrier is no step where the object that it is about is private.
    HiddenBarrier = "hidden-barrier",
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
    /// Under operational RC11 a compare-exchange that fails has read the last store.
    OperationalExchangeLast = "operational-exchange-last",
    /// Under operational RC11 additions commute though loads may find what is between them.
    LookedAtCounts = "looked-at-counts",
    /// Counts of references stay as they are, whatever other threads may do.
    ReferencesKept = "references-kept",
    /// A thread that is parked goes on with the token, and leaves it there.
    TokenKept = "token-kept",
    /// A release sequence ends with the next read-modify-write.
    ReleaseSequenceDropped = "release-sequence-dropped",
    /// A round of a loop that has written something counts as one that has not.
    AwaitLoopWrites = "await-loop-writes",
    /// Fences do not take part in the order of sequentially consistent events.
    ScFenceIgnored = "sc-fence-ignored",
    /// An access to a private object of another thread is not noticed.
    HiddenSharing = "hidden-sharing",
    /// A private object that another thread accesses is shared from then on, instead of from its birth.
    LateSharing = "late-sharing",
    /// Objects stay private when a part of a pointer to them is overwritten or copied; nor is hidden sharing noticed.
    CutPointers = "cut-pointers",
    /// Pointers at addresses that are no multiple of 8 are not followed; nor is hidden sharing noticed.
    UnalignedPointers = "unaligned-pointers",
    /// Objects stay private when their address is printed or written out; nor is hidden sharing noticed.
    AddressesOutside = "addresses-outside",
    /// Objects stay private when a pointer is read as a number; nor is hidden sharing noticed.
    PointersAsNumbers = "pointers-as-numbers",
    /// A thread that other threads wait for counts as an observer.
    ObserverJoined = "observer-joined",
    /// A thread whose result depends on what it sees counts as an observer.
    ObserverResult = "observer-result",
    /// A thread that reads and writes counts as an observer.
    ObserverWrites = "observer-writes",
    /// A thread whose assumptions may not hold counts as an observer.
    ObserverAssumes = "observer-assumes",
    /// What the last thread alive does is no part of its summary.
    LastThreadUnseen = "last-thread-unseen",
    /// The end of an object commutes with stores to it that go to a buffer.
    BufferedLifetime = "buffered-lifetime",
    /// A store that was overwritten stays left out although a thread has read in between.
    ElisionUnread = "elision-unread",
    /// What created threads do is no part of their creator's summary.
    BirthsUnseen = "births-unseen",
    /// States of a cycle may all put off the same thread.
    CycleProviso = "cycle-proviso",
    /// Additions commute however their results are compared.
    AdditionsCompared = "additions-compared",
    /// Plain stores of equal values commute.
    EqualPlainStores = "equal-plain-stores",
    /// The end of the program is not put off.
    EarlyEnd = "early-end",
    /// Stores in buffers are no part of a state.
    BuffersUnhashed = "buffers-unhashed",
    /// A thread waits at every lock, also at one that is free.
    FreeLockAwaited = "free-lock-awaited",
    /// A word that is waited for keeps its value although another thread may write it.
    AwaitedWordKept = "awaited-word-kept",
    /// What other threads could do in the middle of a spurious wake-up is not looked at when it is taken for a stutter.
    StutterAlone = "stutter-alone",
    /// A spurious wake-up is left out also where the thread would not wait again.
    StutterLeaves = "stutter-leaves",
    /// A wait on a condition variable that has ended does not take its mutex again.
    SpuriousWithoutMutex = "spurious-without-mutex",
    /// A thread that could wake spuriously keeps a deadlock from being one.
    SpuriousRescue = "spurious-rescue",
    /// Floats are passed in other registers than integers.
    FloatsInGeneralRegisters = "floats-in-general-registers",
    /// What is passed through another type is cut to the type that receives it.
    CutArguments = "cut-arguments",
    /// Bytes that look like a barrier are one, wherever they were copied from.
    BarrierMarkIgnored = "barrier-mark-ignored",
    /// A mutex whose owner has ended counts as held when it is initialised again.
    DeadOwnerHolds = "dead-owner-holds",
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
