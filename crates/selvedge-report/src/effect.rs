//! What an event did to what threads share: for reports that show values, locks, and which store a read has seen.

/// Something in memory that events access.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// What it was before the first of the events, where that is known.
    pub initial: Option<String>,
}

/// A lock that a thread takes or gives back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lock {
    /// The lock's name.
    pub name: String,
    /// It is taken; otherwise given back.
    pub taken: bool,
    /// Others may have it at the same time.
    pub shared: bool,
}

/// What one event did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    /// Number of the variable that was accessed.
    pub variable: Option<usize>,
    /// What was found there.
    pub read: Option<String>,
    /// What it became, or will when the store leaves its buffer.
    pub written: Option<String>,
    /// What was written waits in a store buffer: other threads do not see it yet.
    pub buffered: bool,
    /// The row whose store was read, where that is known.
    pub from: Option<usize>,
    /// The row of a store that was there already, and that the thread did not see.
    pub unseen: Option<usize>,
    /// The lock that it was about.
    pub lock: Option<Lock>,
    /// The thread gives back what it holds until it is woken: it waits on a condition.
    pub waits: bool,
}
