//! What came out of looking at all executions of a program, as data.

use crate::{Elsewhere, Place, Table, Unknown, Violation};
use selvedge_trace::Model;

/// The three answers, never confused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// All executions were covered, and none goes wrong.
    Verified,
    /// Some execution goes wrong.
    Violation,
    /// Not all executions were covered, and none of those that were goes wrong.
    Unknown,
}

impl Answer {
    /// The word for people and files.
    pub fn name(self) -> &'static str {
        match self {
            Answer::Verified => "verified",
            Answer::Violation => "violation",
            Answer::Unknown => "unknown",
        }
    }
}

/// How much was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Covered {
    /// Complete executions.
    pub executions: u64,
    /// Executions that were begun and could not be completed.
    pub blocked: u64,
    /// Distinct views among complete executions, where they were counted.
    pub classes: Option<u64>,
    /// Combinations of paths of all threads, where they were counted.
    pub paths: Option<u64>,
    /// Distinct states, where they were stored.
    pub states: Option<u64>,
    /// States were told apart by all that they consist of, not by their hashes.
    pub exact: bool,
    /// States that were found and not looked at, when the search was given up.
    pub waiting: u64,
    /// Questions about the order of events, where a strategy asked some.
    pub queries: Option<u64>,
    /// How much work these were.
    pub solver: Option<SolverWork>,
    /// Under a model of the language, where not everything was covered: all sequentially consistent executions were.
    pub sequential: bool,
    /// How long it took.
    pub seconds: f64,
}

/// How much work questions about the order of events were.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolverWork {
    /// Reads in all questions that had to see a certain value.
    pub reads: u64,
    /// Reads that were let go because the answer does not depend on them.
    pub freed_reads: u64,
    /// Pairs of a write that such a read could see and one that must not come between, summed over the reads.
    pub constraints: u64,
    /// The same of reads that were let go.
    pub freed_constraints: u64,
    /// Frontiers that were remembered because they led nowhere.
    pub frontiers: u64,
    /// Steps of searching.
    pub steps: u64,
    /// Writes that were compared with what a read needs, and events that were looked at in a search: work that does not
    /// depend on the machine.
    pub work: u64,
    pub seconds: f64,
}

impl Covered {
    /// The probability that two states were taken for the same is at most this: half the square of their number, over
    /// 2^128, unless they were compared.
    pub fn collision_probability(&self) -> Option<f64> {
        let states = self.states?;
        Some(if self.exact { 0.0 } else { (states as f64).powi(2) / 129_f64.exp2() })
    }
}

/// A violation, and how to see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What is wrong.
    pub violation: Violation,
    /// The threads that have a part in it.
    pub threads: Vec<String>,
    /// The file with its schedule, if one was written.
    pub schedule: Option<String>,
    /// The command that replays it, if there is such a file.
    pub replay: Option<String>,
    /// The execution.
    pub trace: Table,
    /// What the program was given, where that was searched for: names and values.
    pub inputs: Vec<(String, String)>,
    /// Where the program has asked for values, in that order, and what it was given.
    pub asked: Vec<Asked>,
    /// Whether stronger models show it too, where that was asked; the weakest of them first.
    pub elsewhere: Vec<Elsewhere>,
}

/// A value that the program has asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    pub place: Option<Place>,
    /// As a signed number of the type that was asked for.
    pub value: i64,
}

/// The answer of a second strategy.
#[derive(Clone, Debug, PartialEq)]
pub struct CrossCheck {
    /// Which strategy.
    pub strategy: String,
    /// What it answered.
    pub verdict: Answer,
    /// How much it looked at.
    pub covered: Covered,
    /// In which way it contradicts the first one; `None` if it does not.
    pub contradiction: Option<String>,
}

/// What an independent search says of a program that the first one has verified.
#[derive(Clone, Debug, PartialEq)]
pub struct SecondSearch {
    /// The strategies that were tried, in this order, all without reductions.
    pub strategies: Vec<String>,
    /// How much the last of them looked at.
    pub covered: Covered,
    /// What came out.
    pub outcome: SecondOutcome,
}

/// What came out of a second search.
#[derive(Clone, Debug, PartialEq)]
pub enum SecondOutcome {
    /// It verifies the program too.
    Confirmed,
    /// It found nothing wrong and was not finished: why.
    Unfinished(String),
    /// It was not begun: why.
    NotBegun(String),
    /// It found a violation, which was replayed: how the two contradict each other.
    Contradicted(String),
}

impl SecondOutcome {
    /// The word for files.
    pub fn name(&self) -> &'static str {
        match self {
            SecondOutcome::Confirmed => "confirmed",
            SecondOutcome::Unfinished(_) => "unfinished",
            SecondOutcome::NotBegun(_) => "not-begun",
            SecondOutcome::Contradicted(_) => "contradicted",
        }
    }

    /// Why it did not confirm the first answer.
    pub fn why(&self) -> Option<&str> {
        match self {
            SecondOutcome::Confirmed => None,
            SecondOutcome::Unfinished(why)
            | SecondOutcome::NotBegun(why)
            | SecondOutcome::Contradicted(why) => Some(why),
        }
    }
}

/// What came out.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// The answer.
    pub verdict: Answer,
    /// Memory model.
    pub model: Model,
    /// Which strategy was used.
    pub strategy: String,
    /// The bounds that were asked for, as in "unroll 3".
    pub bounds: Vec<String>,
    /// What was not looked for although it usually is, as in "data races".
    pub left_out: Vec<String>,
    /// How much was looked at.
    pub covered: Covered,
    /// What goes wrong.
    pub violations: Vec<Found>,
    /// Why not everything was covered. Empty if it was, or if the search ended with a violation.
    pub unknown: Vec<Unknown>,
    /// The answer of a second strategy, if it was asked.
    pub cross_check: Option<CrossCheck>,
    /// What a second search says of a program that the first one has verified, unless that was not wanted.
    pub second_search: Option<SecondSearch>,
}

impl Check {
    /// Whether nothing was found wrong only because no execution comes to its end: the program's assumptions never hold
    /// together.
    pub fn is_vacuous(&self) -> bool {
        self.verdict == Answer::Verified && self.covered.executions == 0
    }
}
