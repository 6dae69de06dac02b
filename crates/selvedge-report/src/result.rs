//! What came out, as data.

use serde::Serialize;

/// A place in the program's source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// As the user would name it: relative to the working directory where it lies below that.
    pub file: String,
    /// Counted from 1; 0 when only the file is known.
    pub line: u32,
    /// Counted from 1; 0 when it is not known.
    pub column: u32,
    /// Name of the function; empty when it is not known.
    pub function: String,
}

/// The kinds of violations. The one list of the names that people and files see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    Assertion,
    Panic,
    Abort,
    Deadlock,
    DataRace,
    Termination,
    Memory,
    Leak,
    Uninitialised,
    Division,
    Overflow,
    Unreachable,
    Misuse,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 13] = [
        Kind::Assertion,
        Kind::Panic,
        Kind::Abort,
        Kind::Deadlock,
        Kind::DataRace,
        Kind::Termination,
        Kind::Memory,
        Kind::Leak,
        Kind::Uninitialised,
        Kind::Division,
        Kind::Overflow,
        Kind::Unreachable,
        Kind::Misuse,
    ];

    /// The word for files and options.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Assertion => "assertion",
            Kind::Panic => "panic",
            Kind::Abort => "abort",
            Kind::Deadlock => "deadlock",
            Kind::DataRace => "data-race",
            Kind::Termination => "termination",
            Kind::Memory => "memory",
            Kind::Leak => "leak",
            Kind::Uninitialised => "uninitialised",
            Kind::Division => "division",
            Kind::Overflow => "overflow",
            Kind::Unreachable => "unreachable",
            Kind::Misuse => "misuse",
        }
    }

    /// The words for people.
    pub fn title(self) -> &'static str {
        match self {
            Kind::Assertion => "failed assertion",
            Kind::Panic => "panic",
            Kind::Abort => "abort",
            Kind::Deadlock => "deadlock",
            Kind::DataRace => "data race",
            Kind::Termination => "the program may never end",
            Kind::Memory => "memory error",
            Kind::Leak => "memory leak",
            Kind::Uninitialised => "use of uninitialised memory",
            Kind::Division => "division by zero or overflow",
            Kind::Overflow => "signed integer overflow",
            Kind::Unreachable => "unreachable code reached",
            Kind::Misuse => "misuse of a synchronisation primitive",
        }
    }
}

/// A line of a stack trace, innermost first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StackLine {
    pub place: Place,
    /// It lies in a library, not in the user's own code.
    pub library: bool,
}

/// A thread of a deadlock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Waiting {
    pub thread: String,
    /// What it waits for, as in "to lock mutex `a`".
    pub waits: String,
    /// The thread that has what it waits for, where that is known.
    pub holder: Option<String>,
    /// Where it waits.
    pub place: Option<Place>,
}

/// What a thread of a data race or of an endless execution is about to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Doing {
    pub thread: String,
    /// What it does, as in "writes `x`".
    pub does: String,
    pub place: Option<Place>,
}

/// Blocks of one allocation site that were never freed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Leak {
    /// Where they were allocated.
    pub place: Option<Place>,
    pub blocks: u64,
    /// Their sizes together.
    pub bytes: u64,
}

/// Something that the program must not do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Violation {
    pub kind: Kind,
    /// One sentence.
    pub message: String,
    pub place: Option<Place>,
    /// In which thread.
    pub thread: Option<String>,
    /// The calls that led there, innermost first.
    pub stack: Vec<StackLine>,
    /// For deadlocks: every thread that has not ended.
    pub waiting: Vec<Waiting>,
    /// For deadlocks: threads that wait for each other in a cycle, if there is one.
    pub cycle: Vec<String>,
    /// For data races: the two accesses. For endless executions: the threads that act on the cycle.
    pub doing: Vec<Doing>,
    /// For leaks: one entry for each allocation site.
    pub leaks: Vec<Leak>,
}

impl Violation {
    /// A violation of which nothing is known but what it is.
    pub fn new(kind: Kind, message: String) -> Self {
        Violation {
            kind,
            message,
            place: None,
            thread: None,
            stack: Vec::new(),
            waiting: Vec::new(),
            cycle: Vec::new(),
            doing: Vec::new(),
            leaks: Vec::new(),
        }
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unknown {
    /// What stopped the run, as in "unsupported inline assembly".
    pub what: String,
    pub place: Option<Place>,
    /// In which thread.
    pub thread: Option<String>,
    /// What the user can do about it: a sentence.
    pub advice: String,
}

/// What came out of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The program ended by itself, with this code.
    Ended(i32),
    /// It went wrong.
    Violation(Box<Violation>),
    /// There is no answer.
    Unknown(Unknown),
}
