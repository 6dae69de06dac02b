//! Names of threads: the same in every schedule.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Index of a thread within one execution, in order of creation. Depends on the schedule: use [`ThreadName`] for
/// anything that must be recognised in another execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ThreadId(pub u16);

impl ThreadId {
    /// The first thread.
    pub const MAIN: ThreadId = ThreadId(0);

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A thread's creation path: `main`, `main.1` (its first child), `main.1.2`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct ThreadName(Vec<u32>);

impl ThreadName {
    /// The first thread.
    pub fn main() -> Self {
        ThreadName(Vec::new())
    }

    /// The n-th child (counted from 1) of this thread.
    pub fn child(&self, n: u32) -> Self {
        let mut path = self.0.clone();
        path.push(n);
        ThreadName(path)
    }

    /// The path below `main`.
    pub fn path(&self) -> &[u32] {
        &self.0
    }
}

impl fmt::Display for ThreadName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("main")?;
        self.0.iter().try_for_each(|n| write!(f, ".{n}"))
    }
}

/// The text is not a thread's name.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("`{0}` is not the name of a thread; names look like `main`, `main.1` or `main.1.2`")]
pub struct BadThreadName(String);

impl FromStr for ThreadName {
    type Err = BadThreadName;

    fn from_str(text: &str) -> Result<Self, BadThreadName> {
        let bad = || BadThreadName(text.to_owned());
        let mut parts = text.split('.');
        if parts.next() != Some("main") {
            return Err(bad());
        }
        let number = |part: &str| part.parse().ok().filter(|&n: &u32| n > 0).ok_or_else(bad);
        parts.map(number).collect::<Result<_, _>>().map(ThreadName)
    }
}

impl From<ThreadName> for String {
    fn from(name: ThreadName) -> String {
        name.to_string()
    }
}

impl TryFrom<String> for ThreadName {
    type Error = BadThreadName;

    fn try_from(text: String) -> Result<Self, BadThreadName> {
        text.parse()
    }
}
