//! The default strategy: rounds of the reduced search until one has learned nothing new, then the circles of the graph of
//! states, then the shortest way to what was found.

use crate::futures::{Futures, Learned};
use crate::graph::{self, Graph};
use crate::plan::Reduction;
use crate::report::{Report, Unfinished};
use crate::search::{self, Round};
use crate::{Options, Progress, Strategy, shortest};
use selvedge_machine::Config;
use selvedge_program::Program;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// The shortest way to a violation is searched for among so many states before reduction has to help.
const STATES_WITHOUT_REDUCTION: usize = 200_000;

/// Explores all executions.
pub fn explore(program: &Arc<Program>, config: &Config, options: &Options, progress: &Progress) -> Report {
    let begun = Instant::now();
    let reduction = match options.strategy {
        Strategy::States => Reduction::None,
        Strategy::Auto if options.count_views || options.leaks => Reduction::Views,
        Strategy::Auto => Reduction::Safety,
    };
    let mut learned = match reduction {
        Reduction::None => Learned::default(),
        _ => search::first_lessons(program, config, progress),
    };
    loop {
        progress.rounds.fetch_add(1, Ordering::Relaxed);
        let futures = Futures::new(&learned);
        let round = Round::new(program, config, options, progress, &futures, reduction, begun);
        round.run();
        while !round.is_stopped() && !round.has_grown() && open_ignored(&round) {}
        let over = round.is_stopped() && {
            let gathered = round.gathered();
            gathered.budget.is_some() || !gathered.bugs.is_empty()
        };
        if over || !round.has_grown() {
            return report(&round, program, config, options, progress);
        }
        learned.merge(std::mem::take(&mut round.gathered().learned));
    }
}

/// Threads must not be put off for ever: a circle of states that nothing leaves, none of which was fully looked at, hides
/// what the others could do. One state of each is opened; false if there was none.
fn open_ignored(round: &Round<'_>) -> bool {
    let graph = Graph::new(round.visited.len() as usize, &round.gathered().edges);
    let mut full = vec![false; graph.len()];
    round.gathered().full.iter().for_each(|&state| full[state as usize] = true);
    let circles = graph.circles();
    let ignored: Vec<u32> = circles
        .iter()
        .filter(|circle| {
            let stays =
                |&state: &u32| graph.edges(state).iter().all(|(to, _)| circle.binary_search(to).is_ok());
            circle.iter().all(stays) && !circle.iter().any(|&state| full[state as usize])
        })
        .filter_map(|circle| circle.first().copied())
        .collect();
    if ignored.is_empty() {
        return false;
    }
    let parents = graph.parents();
    for &state in &ignored {
        round.reopen(state, &graph::path(&parents, state));
    }
    true
}

fn report(
    round: &Round<'_>,
    program: &Arc<Program>,
    config: &Config,
    options: &Options,
    progress: &Progress,
) -> Report {
    let mut gathered = round.gathered();
    let mut report = Report {
        executions: round.executions.load(Ordering::Relaxed),
        blocked: round.blocked.load(Ordering::Relaxed),
        states: Some(round.visited.len()),
        classes: options.count_views.then(|| round.views.len()),
        steps: round.steps.load(Ordering::Relaxed),
        cut: round.cut.load(Ordering::Relaxed),
        ..Report::default()
    };
    report.unfinished.extend(gathered.budget.map(Unfinished::Budget));
    report.unfinished.extend(gathered.unfinished.take());
    if !gathered.bugs.is_empty() {
        let found = shortest::explore(program, config, options, progress, Some(STATES_WITHOUT_REDUCTION));
        report.findings = found.findings;
    }
    report
}
