//! Checkpoints: how far a search has come, as plain data, so that another process can go on with it.

use selvedge_machine::Pick;
use selvedge_trace::{Births, Choice, Choices, ThreadId};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Where a search keeps how far it has come.
pub trait CheckpointStore: Send + Sync + fmt::Debug {
    /// Whether it is time to keep something.
    fn is_due(&self) -> bool;
    /// Keeps this, instead of what was kept before.
    fn keep(&self, checkpoint: &Checkpoint);
    /// The search is complete: what was kept is of no use any more.
    fn complete(&self);
    /// What was kept before, if there is something.
    fn kept(&self) -> Option<Checkpoint>;
}

/// How far a search has come.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    pub(crate) executions: u64,
    pub(crate) blocked: u64,
    pub(crate) asleep: u64,
    pub(crate) steps: u64,
    #[serde(default)]
    pub(crate) queries: Option<u64>,
    pub(crate) cut: bool,
    pub(crate) long: bool,
    pub(crate) lost: bool,
    /// The path to something that is not supported.
    pub(crate) unsupported: Option<KeptChoices>,
    /// Violations: what tells them apart, and the paths to them.
    pub(crate) found: Vec<(String, KeptChoices)>,
    /// Places in the program whose accesses race.
    pub(crate) pairs: Vec<(u32, u32)>,
    pub(crate) views: Vec<[u64; 2]>,
    pub(crate) tree: Option<KeptTree>,
    pub(crate) rounds: Option<KeptRounds>,
    pub(crate) view_tree: Option<KeptViews>,
    #[serde(default)]
    pub(crate) paths: Option<KeptPaths>,
    /// What the search takes for shared from its birth.
    #[serde(default)]
    pub(crate) births: Births,
}

/// Executions that a search over paths has asked for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct KeptPaths {
    pub(crate) requests: Vec<KeptRequest>,
}

/// What a value is of: kind, name, number.
pub(crate) type KeptSymbol = (String, String, u32);
/// A choice of the schedule: kind, thread, and which thread is woken or which address.
pub(crate) type KeptMove = (String, String, String);

/// An execution: inputs, how it begins, and which thread goes on then.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct KeptRequest {
    pub(crate) inputs: Vec<(KeptSymbol, String)>,
    pub(crate) moves: Vec<KeptMove>,
    pub(crate) then: Option<String>,
}

/// Choices with how often each is repeated.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct KeptChoices(Vec<(String, Option<u32>, u64, u64)>);

impl From<&Choices> for KeptChoices {
    fn from(choices: &Choices) -> Self {
        let run = |(choice, count): &(Choice, u64)| match choice {
            Choice::Step { thread, alternative } => (thread.to_string(), Some(*alternative), 0, *count),
            Choice::Commit { thread, address } => (thread.to_string(), None, *address, *count),
        };
        KeptChoices(choices.runs().iter().map(run).collect())
    }
}

impl KeptChoices {
    /// The choices; nothing if they are none.
    pub fn choices(&self) -> Option<Choices> {
        let mut choices = Choices::new();
        for (thread, alternative, address, count) in &self.0 {
            let thread = thread.parse().ok()?;
            let choice = match alternative {
                Some(alternative) => Choice::Step { thread, alternative: *alternative },
                None => Choice::Commit { thread, address: *address },
            };
            choices.push_repeated(choice, *count);
        }
        Some(choices)
    }
}

/// A pick: thread, alternative or none, address.
pub(crate) type KeptPick = (u16, Option<u32>, u64);

pub(crate) fn keep_pick(pick: Pick) -> KeptPick {
    match pick {
        Pick::Step { thread, alternative } => (thread.0, Some(alternative), 0),
        Pick::Commit { thread, address } => (thread.0, None, address),
    }
}

pub(crate) fn pick((thread, alternative, address): KeptPick) -> Pick {
    let thread = ThreadId(thread);
    match alternative {
        Some(alternative) => Pick::Step { thread, alternative },
        None => Pick::Commit { thread, address },
    }
}

/// The tree of executions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct KeptTree {
    /// The processes, by number: thread, and the address of a buffer.
    pub names: Vec<(String, Option<u64>)>,
    /// Each after the one before it.
    pub nodes: Vec<KeptNode>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct KeptNode {
    pub parent: Option<(usize, usize)>,
    pub free: bool,
    pub children: Vec<KeptChild>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct KeptChild {
    pub stage: KeptStage,
    /// The step itself, and all that has to be explored after it: each after the one before it.
    pub wakes: Vec<KeptWake>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum KeptStage {
    Waiting,
    Open,
    Done,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct KeptWake {
    pub above: usize,
    pub process: u32,
    pub outcomes: Vec<u32>,
    pub label: KeptLabel,
}

/// Start, end, reads, writes, plain.
pub(crate) type KeptSpan = (u64, u64, bool, bool, bool);

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct KeptLabel {
    pub spans: Vec<KeptSpan>,
    pub gives: Vec<KeptSpan>,
    pub stores: Vec<KeptSpan>,
    pub flags: (bool, bool, bool),
}

/// The rounds of iterative context bounding.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct KeptRounds {
    pub bound: u32,
    /// Both halves of a state's hash, and the thread that came there.
    pub nodes: Vec<[u64; 3]>,
    pub edges: Vec<(u32, u32)>,
    pub ways: Vec<(u32, KeptPick)>,
    pub waiting: Vec<KeptItem>,
    pub later: Vec<KeptItem>,
}

/// Views that were explored.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct KeptViews {
    /// The threads, by number.
    pub names: Vec<String>,
    /// What threads have observed: a hash in two halves, and the node of one event less.
    pub nodes: Vec<([u64; 2], u32)>,
    /// The nodes at which the threads of each execution have ended.
    pub ends: Vec<Vec<u32>>,
    /// Deadlocks that are not among these.
    pub stuck: Vec<[u64; 2]>,
    /// Beginnings that fail.
    pub failed: Vec<[u64; 2]>,
    /// Beginnings that were followed.
    #[serde(default)]
    pub seeds: Vec<[u64; 2]>,
    /// What was chosen in executions that are still to be explored.
    pub waiting: Vec<Vec<KeptPick>>,
}

/// Node, index of the step, the thread that came there, and what alone is to be done.
pub(crate) type KeptItem = (u32, u32, Option<u16>, Option<KeptPick>);

/// A hash in two halves.
pub(crate) fn halves(hash: u128) -> [u64; 2] {
    [(hash >> 64) as u64, hash as u64]
}

/// A hash from its halves.
pub(crate) fn whole([high, low]: [u64; 2]) -> u128 {
    u128::from(high) << 64 | u128::from(low)
}
