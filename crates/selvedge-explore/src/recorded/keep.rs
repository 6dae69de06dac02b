//! Checkpoints of searches by views.
//!
//! Executions that are still to be explored are kept as what was chosen in them, and executed again. Questions are not
//! kept: a search that asks again finds what was explored, and which beginnings were followed.

use crate::kit::findings::{Found, Pairs};
use crate::recorded::ledger::Ledger;
use crate::recorded::run::{Recording, Run, again};
use crate::recorded::views::{ViewParts, Views};
use crate::report::Report;
use rustc_hash::FxHashSet;
use selvedge_machine::Pick;
use selvedge_trace::ThreadName;
use serde::{Deserialize, Serialize};

/// How far a search has come.
#[derive(Serialize, Deserialize)]
pub struct Kept {
    report: Report,
    found: Found,
    pairs: Pairs,
    /// The threads, by number.
    pub names: Vec<ThreadName>,
    views: ViewParts,
    /// Beginnings that need not be followed any more.
    beginnings: FxHashSet<u128>,
    /// Views as the machine tells them apart, where they are counted.
    classes: FxHashSet<u128>,
    /// What was chosen in executions that are still to be explored.
    waiting: Vec<Vec<Pick>>,
}

/// What was kept, for a search to go on with.
pub struct Resumed<'s> {
    pub ledger: Ledger,
    pub views: Views,
    pub beginnings: FxHashSet<u128>,
    pub classes: FxHashSet<u128>,
    /// Executions that are still to be explored.
    pub waiting: Vec<Run<'s>>,
}

impl Kept {
    /// What a search has come to.
    pub fn new<'r, 's: 'r>(
        subject: &Recording<'_>,
        ledger: &Ledger,
        views: &Views,
        (beginnings, classes): (&FxHashSet<u128>, &FxHashSet<u128>),
        waiting: impl Iterator<Item = &'r Run<'s>>,
    ) -> Self {
        Kept {
            report: ledger.report.going_on(),
            found: ledger.found.clone(),
            pairs: ledger.pairs.clone(),
            names: subject.names.all(),
            views: views.parts(),
            beginnings: beginnings.clone(),
            classes: classes.clone(),
            waiting: waiting.map(|run| run.picks.clone()).collect(),
        }
    }

    /// What a search goes on with; nothing if it does not fit the program.
    pub fn resume<'s>(self, subject: &'s Recording<'s>) -> Option<Resumed<'s>> {
        let Kept { report, found, pairs, views, beginnings, classes, waiting, .. } = self;
        let waiting: Option<Vec<Run<'s>>> = waiting.iter().map(|picks| again(subject, picks)).collect();
        let ledger = Ledger::again(report, found, pairs);
        Some(Resumed { ledger, views: Views::again(views)?, beginnings, classes, waiting: waiting? })
    }
}
