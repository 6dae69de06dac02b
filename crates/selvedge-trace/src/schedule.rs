//! Schedules: everything that determines an execution besides the program.

use crate::{Births, Choices, InputName, Model, Property, StepNote, ThreadName};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The alternative by which a timed wait times out.
pub const TIMEOUT: u32 = u32::MAX;
/// The alternative by which a wait ends although no thread has ended it.
pub const SPURIOUS: u32 = u32::MAX - 1;

/// One choice, by thread name, so that it means the same in every execution.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Choice {
    /// The thread performs its pending operation and runs up to the next one. `alternative` tells apart outcomes
    /// that the operation leaves open (0 is the ordinary one): which waiter is woken, whether a timed wait times
    /// out ([`TIMEOUT`]) or returns for no reason ([`SPURIOUS`]), whether a weak compare-exchange fails for no reason.
    Step {
        /// The thread that steps.
        thread: ThreadName,
        /// Which outcome.
        alternative: u32,
    },
    /// The thread's oldest buffered store (to this address, under PSO) becomes visible.
    Commit {
        /// The thread whose buffer it is.
        thread: ThreadName,
        /// First byte of the store.
        address: u64,
    },
}

/// Values from outside that the program asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inputs {
    /// Program arguments without the program's name.
    pub arguments: Vec<String>,
    /// Environment variables that the program sees (NAME=value).
    pub environment: Vec<String>,
    /// Standard input.
    pub stdin: Vec<u8>,
    /// The clock when the execution starts, in nanoseconds since 1970.
    pub clock: u64,
    /// Seed of everything random that the program asks for.
    pub random: u64,
    /// Values that the program asks for by name (`selvedge_any_int` and its like). Those that are missing are 0.
    pub values: BTreeMap<InputName, u64>,
    /// Files that the program finds with these contents, whatever is there.
    pub files: BTreeMap<String, Vec<u8>>,
}

impl Default for Inputs {
    fn default() -> Self {
        // 2024-01-01: a fixed moment, since the clock must not make two runs differ.
        let clock = 1_704_067_200 * 1_000_000_000;
        Inputs {
            arguments: Vec::new(),
            environment: Vec::new(),
            stdin: Vec::new(),
            clock,
            random: 0,
            values: BTreeMap::new(),
            files: BTreeMap::new(),
        }
    }
}

/// What the end of a schedule shows, where the execution itself does not end there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Two threads are about to access the same memory, and nothing orders them.
    DataRace([ThreadName; 2]),
    /// These threads can go on for ever without getting anywhere. `cycle` leads back to the state at the end of the
    /// schedule; where it is empty, the schedule's last choice runs for ever by itself.
    Termination {
        /// The threads that act on the cycle.
        threads: Vec<ThreadName>,
        /// One round.
        cycle: Choices,
    },
}

/// A recorded execution: with the program it determines everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Name of the program, for messages.
    pub program: String,
    /// Fingerprint of the lowered program.
    pub fingerprint: u64,
    /// Memory model.
    pub model: Model,
    /// Inputs.
    pub inputs: Inputs,
    /// Objects whose accesses are steps from their birth on.
    pub births: Births,
    /// The choices, in order. After the last one the default policy goes on, unless there is a claim.
    pub choices: Choices,
    /// Digest of all events up to the end of the last choice; a replay that comes to another one has diverged.
    pub digest: u64,
    /// What is to be seen after the last choice.
    pub claim: Option<Claim>,
    /// Only this counts as wrong. Without it everything does.
    pub property: Option<Property>,
    /// What each of the choices did; empty where that was not noted.
    pub steps: Vec<StepNote>,
    /// The words by which the program was named on the command line; empty where that is not known.
    pub made_from: Vec<String>,
}
