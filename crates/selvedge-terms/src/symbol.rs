//! What expressions are about.

use selvedge_trace::ThreadName;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A symbol of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId(pub(crate) u32);

impl SymbolId {
    /// As an index: the symbols of a pool are numbered from 0 on.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A value that another execution may have otherwise. Names do not depend on the schedule: a thread that takes the same
/// decisions meets the same symbols in every execution.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Symbol {
    /// What the program gets when a thread asks for an input, counted for each thread from 0 on.
    Input {
        /// The thread that asks.
        thread: ThreadName,
        /// Its how many-th input.
        occurrence: u32,
    },
    /// A byte from outside.
    Byte {
        /// Where it is from.
        source: Source,
        /// Which byte.
        offset: u32,
    },
    /// What a thread's step saw in memory that other threads may write, counted for each thread from 0 on over all
    /// such reads of its path.
    Read {
        /// The thread that reads.
        thread: ThreadName,
        /// Its how many-th read.
        index: u32,
    },
    /// An outcome that a thread's step leaves open and that memory does not decide, such as a weak compare-exchange
    /// that fails for no reason.
    Choice {
        /// The thread whose step it is.
        thread: ThreadName,
        /// Its how many-th choice.
        occurrence: u32,
    },
}

impl Symbol {
    /// Whether its value comes from outside, not from other threads.
    pub fn is_input(&self) -> bool {
        matches!(self, Symbol::Input { .. } | Symbol::Byte { .. })
    }
}

/// Where bytes from outside come from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Source {
    /// A program argument, counted from 1 on as in `argv`.
    Argument(u32),
    /// Standard input.
    StandardInput,
    /// The contents of a file.
    File(String),
    /// The value of an environment variable.
    Environment(String),
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Symbol::Input { thread, occurrence } => write!(f, "{thread}#{occurrence}"),
            Symbol::Byte { source, offset } => write!(f, "{source}[{offset}]"),
            Symbol::Read { thread, index } => write!(f, "{thread}@{index}"),
            Symbol::Choice { thread, occurrence } => write!(f, "{thread}?{occurrence}"),
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Argument(number) => write!(f, "argv[{number}]"),
            Source::StandardInput => f.write_str("stdin"),
            Source::File(name) => write!(f, "file `{name}`"),
            Source::Environment(name) => write!(f, "${name}"),
        }
    }
}
