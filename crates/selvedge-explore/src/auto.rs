//! The default strategy: rounds of the reduced search until one has learned nothing new, then the circles of the graph of
//! states, then the shortest way to what was found.

use crate::futures::{Futures, Learned};
use crate::graph;
use crate::plan::Level;
use crate::report::{Bug, Finding, Report, Unfinished};
use crate::search::{Place, Round};
use crate::{Options, Progress, Strategy, circles, lessons, shortest, walk};
use selvedge_machine::{Config, Machine};
use selvedge_program::Program;
use selvedge_trace::mutants::{Mutant, mutant};
use selvedge_trace::{Reduction, ThreadId};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Explores all executions.
pub fn explore(program: &Arc<Program>, config: &Config, options: &Options, progress: &Progress) -> Report {
    let mut options = options.clone();
    let level = match options.strategy {
        Strategy::States
        | Strategy::Dpor
        | Strategy::Optimal
        | Strategy::Icb
        | Strategy::Pct
        | Strategy::Random
        | Strategy::Mcr
        | Strategy::McrS
        | Strategy::McrSPlus
        | Strategy::SeMcr
        | Strategy::Viequi
        | Strategy::Mpc => Level::None,
        Strategy::Auto if !options.reductions.has(Reduction::Summaries) => Level::None,
        Strategy::Auto if options.count_views || options.leaks => Level::Views,
        Strategy::Auto if config.looks_back => Level::Orders,
        Strategy::Auto => Level::Safety,
    };
    let mut learned = match level {
        Level::None => Learned::default(),
        _ => lessons::first_lessons(program, &stepping(config, level, &options), &options.tuning, progress),
    };
    let mut patience = options.tuning.first_patience;
    loop {
        progress.rounds.fetch_add(1, Ordering::Relaxed);
        progress.done.store(0, Ordering::Relaxed);
        let futures = Futures::new(&learned, &options.tuning);
        let config = Config { looked_at: Arc::new(learned.looked_at().clone()), ..config.clone() };
        let config = &config;
        let stepping = stepping(config, level, &options);
        let round = Round::new(program, &stepping, &options, progress, &futures, level, patience);
        round.run();
        while !round.is_stopped() && !round.has_grown() && open_ignored(&round) {}
        let (found, unsupported) = {
            let gathered = round.gathered();
            (!gathered.bugs.is_empty(), gathered.unsupported.is_some())
        };
        // Who looks back may look back too far, so what goes wrong then is not reported.
        if (config.looks_back && found) || (options.stop_unsupported && !found && unsupported) {
            let what = "something that its caller has another way for".to_owned();
            return Report { unfinished: vec![Unfinished::Beyond(what)], ..Report::default() };
        }
        let over = round.is_stopped() && {
            let gathered = round.gathered();
            gathered.budget.is_some() || !gathered.bugs.is_empty()
        };
        let reported = (over || !round.has_grown()).then(|| {
            // What was found is followed up even if the time is over.
            let deadline = progress.set_deadline(None);
            let report = report(&round, program, config);
            progress.set_deadline(deadline);
            report
        });
        learned.merge(std::mem::take(&mut round.gathered().learned));
        drop(round);
        match reported {
            Some(Some(report)) => return report,
            Some(None) => options.jobs = 1,
            None => patience = patience.saturating_mul(2),
        }
    }
}

/// For machines of a search. What the last thread alive does is part of its future, so it has to be seen as well: such
/// machines stop before each of its operations.
fn stepping(config: &Config, level: Level, options: &Options) -> Config {
    let stops_alone = level != Level::None && !mutant(Mutant::LastThreadUnseen);
    let every_step = !options.reductions.has(Reduction::LastThread);
    Config { every_step, stops_alone, ..config.clone() }
}

/// Threads must not be put off for ever: a circle of states that nothing leaves, none of which was fully looked at, hides
/// what the others could do. One state of each is opened. Going on without storing must not be put off for ever either: on
/// a circle that is left by storing it would be, so there all states that put it off are opened. False if there was none.
fn open_ignored(round: &Round<'_>) -> bool {
    if mutant(Mutant::CycleProviso) {
        return false;
    }
    let Some(graph) = round.graph() else { return false };
    let mut full = vec![false; graph.len()];
    round.gathered().full.iter().for_each(|&state| full[state as usize] = true);
    let mut puts_off = vec![false; graph.len()];
    round.gathered().puts_off.iter().for_each(|&state| puts_off[state as usize] = true);
    let circles = graph.circles();
    let mut ignored: Vec<u32> = circles
        .iter()
        .filter(|circle| {
            let stays = |&state: &u32| graph.edges(state).all(|(to, _)| circle.binary_search(&to).is_ok());
            circle.iter().all(stays) && !circle.iter().any(|&state| full[state as usize])
        })
        .filter_map(|circle| circle.first().copied())
        .collect();
    let put_off = |&state: &u32| puts_off[state as usize] && !full[state as usize];
    ignored.extend(circles.iter().flatten().copied().filter(put_off));
    ignored.sort_unstable();
    ignored.dedup();
    if ignored.is_empty() {
        return false;
    }
    let parents = graph.parents();
    for &state in &ignored {
        round.reopen(state, &graph::path(&parents, state));
    }
    true
}

/// What a round found out. `None`: there is something to be reported for which the order of exploration matters, so that
/// it has to be found by one worker alone.
fn report(round: &Round<'_>, program: &Arc<Program>, config: &Config) -> Option<Report> {
    let (options, progress) = (round.options, round.progress);
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
    let bugs = std::mem::take(&mut gathered.bugs);
    let unsupported = gathered.unsupported.take();
    drop(gathered);
    if !bugs.is_empty() {
        let most = options.tuning.shortest_states as usize;
        report.findings = shortest::explore(program, config, options, progress, Some(most)).findings;
    }
    let known = |identity: &String| report.findings.iter().any(|finding| finding.identity == *identity);
    let mut missing: Vec<_> = bugs.iter().filter(|(identity, _)| !known(identity)).collect();
    if !report.findings.is_empty() && !options.keep_going {
        missing.clear();
    }
    if !missing.is_empty() && options.jobs > 1 && !options.keep_going && progress.at_limit().is_none() {
        return None;
    }
    missing.sort();
    let complete = bugs.is_empty() && report.unfinished.is_empty() && !report.cut;
    // Both take much memory: they are made when they are needed.
    let graph = std::cell::LazyCell::new(|| round.graph().unwrap_or_default());
    let parents = std::cell::LazyCell::new(|| graph.parents());
    let way = |place: Place| place.map_or(Vec::new(), |(state, _)| graph::path(&parents, state));
    for (identity, &place) in missing {
        let trail = round.retrace(&way(place), place);
        let found = trail.bugs.iter().find(|(known, ..)| known == identity);
        let finding = found.and_then(|(_, bug, picks)| {
            Finding::by_picks(Machine::new(program.clone(), config.clone()), bug.clone(), picks, progress)
        });
        match finding {
            Some(finding) => report.findings.push(finding),
            None => report.unfinished.push(Unfinished::Lost),
        }
    }
    if complete && let Some(endless) = circles::endless(round, &graph) {
        if options.jobs > 1 && progress.at_limit().is_none() {
            return None;
        }
        let trail = round.retrace(&graph::path(&parents, endless.state), None);
        let mut machine = Machine::new(program.clone(), config.clone());
        let picks = trail.picks();
        picks.iter().for_each(|&pick| {
            walk::advance(&mut machine, pick, progress);
        });
        let name = |thread: &ThreadId| machine.threads()[thread.index()].name.clone();
        let bug = Bug::Livelock {
            threads: endless.threads.iter().map(name).collect(),
            cycle: walk::choices(&machine, &endless.picks),
        };
        let machine = Machine::new(program.clone(), config.clone());
        match Finding::by_picks(machine, bug, &picks, progress) {
            Some(finding) => report.findings.push(finding),
            None => report.unfinished.push(Unfinished::Lost),
        }
    }
    if let Some(place) = unsupported {
        let trail = round.retrace(&way(place), place);
        if trail.unsupported.is_none() {
            report.unfinished.push(Unfinished::Lost);
        }
        if let Some(outcome) = trail.unsupported.clone() {
            let mut machine = Machine::new(program.clone(), config.clone());
            let picks = trail.picks();
            picks.iter().for_each(|&pick| {
                walk::advance(&mut machine, pick, progress);
            });
            let choices = walk::choices(&machine, &picks);
            report.unfinished.push(Unfinished::Unsupported { outcome, choices });
        }
    }
    if round.has_lost() {
        report.unfinished.push(Unfinished::Lost);
    }
    report.findings.sort_by_key(|finding| finding.switches);
    if !options.keep_going {
        report.findings.truncate(1);
    }
    Some(report)
}
