//! What workers have come to together, for the end of a search and for checkpoints.

use crate::graphs::threads::{LeftOut, Names, Repeats};
use crate::graphs::{Worker, add_finding};
use crate::report::{Finding, Report};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

/// How far a search has come, but for the graphs that are still to be extended.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Kept {
    /// What is left out.
    pub left_out: LeftOut,
    /// What threads and locations are called in the graphs.
    pub names: Names,
    pub report: Report,
    pub found: Vec<Finding>,
    pub views: FxHashSet<u128>,
    /// The memory of loads that were left out, and of plain stores.
    pub skipped: FxHashSet<(u64, u64)>,
    pub plainly_written: FxHashSet<(u64, u64)>,
    /// What threads have done after reads.
    pub repeats: Repeats,
}

impl Kept {
    /// What workers have come to. None of them may be at work.
    pub fn new(left_out: LeftOut, names: Names, workers: &[Worker<'_>]) -> Self {
        let mut kept = Kept { left_out, names, ..Kept::default() };
        let report = &mut kept.report;
        for Worker { threads, search } in workers {
            let own = &search.report;
            report.executions += own.executions;
            report.blocked += own.blocked;
            report.steps += own.steps + threads.steps();
            report.cut |= own.cut || threads.cut;
            own.unfinished.iter().for_each(|reason| report.leave_open(reason.clone()));
            search.found.iter().for_each(|finding| add_finding(&mut kept.found, finding.clone()));
            kept.views.extend(&search.views);
            kept.skipped.extend(search.skipped.iter().copied().chain(threads.looks.left_out()));
            kept.plainly_written.extend(&search.plainly_written);
            kept.plainly_written.extend(threads.machine.inspect_graph().plainly_written());
            kept.repeats.learn(threads.repeats());
        }
        kept
    }

    /// For a search that goes on.
    pub fn going_on(self) -> Self {
        Kept { report: self.report.going_on(), ..self }
    }
}
