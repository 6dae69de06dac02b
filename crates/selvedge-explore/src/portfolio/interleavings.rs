//! The portfolio under `sc`, `tso` and `pso`: optimal DPOR beside the stateful search.
//!
//! Some programs have far more states than Mazurkiewicz traces: many threads, each of which does little that others
//! see. When the search has come to many states, optimal DPOR is tried beside it for a while. Both are complete, so the
//! member that ends first with nothing found has the answer. What DPOR finds is left to the stateful search, which
//! reports the shortest counterexample.

use crate::portfolio::{Beside, Member, Worth, inputs};
use crate::report::Report;
use crate::{Options, Strategy, Task, dpor, states};
use selvedge_machine::{Config, Spurious};
use selvedge_trace::Reduction;
use std::sync::atomic::Ordering;

/// Leads.
const STATES: Member = Member {
    name: "states",
    explores: "each state once",
    begins: "at once",
    worth: Worth::Everything,
    time: None,
    needs: |_| true,
    explore: states::explore,
};

const OPTIMAL: Member = Member {
    name: "optimal",
    explores: "of the orders that make no difference one, up to `portfolio_executions`",
    begins: "beside `states`, after `portfolio_after_states`",
    worth: Worth::Verified,
    time: Some(|tuning| tuning.portfolio_time),
    needs: |task| {
        let options = task.options;
        let bounded = options.unroll.is_some() || options.max_executions.is_some();
        let other_question = options.count_views || !options.at_end.is_empty() || options.exact;
        let is_on = options.strategy == Strategy::Auto && options.reductions.has(Reduction::Portfolio);
        is_on && !bounded && !other_question
    },
    explore: optimal,
};

/// All of them.
pub const MEMBERS: &[&Member] = &[&STATES, &OPTIMAL, &inputs::CHOICES, &inputs::PATHS];

/// Explores by states, with optimal DPOR beside it where both answer the same question.
pub fn explore(task: Task<'_>) -> Report {
    if inputs::CHOICES.fits(&task) {
        return inputs::explore(task);
    }
    if !OPTIMAL.fits(&task) {
        return STATES.search(task);
    }
    let (progress, alone) = (task.progress, task.options.tuning.portfolio_after_states);
    let begins = || progress.states.load(Ordering::Relaxed) >= alone;
    let beside = Beside { progress, begins, in_vain: |_| false };
    let others = |own: &_| {
        let turn = OPTIMAL.take_turn(task, own);
        let answers = turn.answers;
        (turn, answers)
    };
    let (report, turn) = beside.run(|| STATES.search(task), others);
    match turn {
        Some(turn) if turn.answers && report.findings.is_empty() => turn.report,
        _ => report,
    }
}

fn optimal(task: Task<'_>) -> Report {
    let Task { config, options, .. } = task;
    let (strategy, max_executions) = (Strategy::Optimal, Some(options.tuning.portfolio_executions));
    let options = Options { strategy, jobs: 1, max_executions, ..options.clone() };
    let spurious = if options.spurious { strategy.row().spurious } else { Spurious::Off };
    let config = Config { spurious, ..config.clone() };
    dpor::optimal(Task { config: &config, options: &options, ..task })
}
