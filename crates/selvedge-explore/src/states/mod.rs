//! The stateful search (`--strategy states`, and the first member of `auto`): rounds of a search that is reduced by
//! persistent sets until one has learned nothing new, then the fair cycles of its graph of states, then the shortest
//! counterexample.
//!
//! Everything here rests on stored states; `docs/search.md` has the argument why no violation is lost. What strategies
//! without states need too is in `kit`. Nothing here knows execution graphs, recorded traces or solvers, or which other
//! searches run beside this one (`portfolio`).

mod counterexample;
pub mod edges;
mod fair_cycles;
mod graph;
pub mod icb;
mod persistent_sets;
mod prefix;
mod round;
pub mod shortest;
mod store_elision;
mod summaries;
mod visited;
mod warm_up;

use crate::kit::step::{self, Advanced};
use crate::report::{Bug, Finding, Report, Unfinished};
use crate::states::persistent_sets::Level;
use crate::states::round::{Before, Kept, Place, Round};
use crate::states::summaries::Summaries;
use crate::{Options, Strategy, Task};
use selvedge_machine::{Config, Machine};
use selvedge_program::Program;
use selvedge_trace::mutants::{Mutant, mutant};
use selvedge_trace::{Choices, Reduction, ThreadId};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Explores all executions.
pub fn explore(task: Task<'_>) -> Report {
    let Task { program, config, options, progress, hands_over } = task;
    let mut options = options.clone();
    let level = match options.strategy {
        strategy if strategy != Strategy::Auto => Level::None,
        _ if !options.reductions.has(Reduction::Summaries) => Level::None,
        _ if options.count_views || !options.at_end.is_empty() => Level::Views,
        _ if config.operational => Level::Orders,
        _ => Level::Safety,
    };
    let mut kept = options.keep.as_ref().and_then(Kept::of);
    let mut before = match (&kept, level) {
        (Some(kept), _) => kept.before().clone(),
        (None, Level::None) => Before::default(),
        (None, _) => {
            let config = stepping(config, level, &options);
            let learned = warm_up::warm_up(program, &config, &options.tuning, progress);
            Before { learned, ..Before::default() }
        }
    };
    before.patience = before.patience.max(options.tuning.first_patience);
    let wants_all = options.keep_going || options.count_views;
    loop {
        if before.alone {
            options.jobs = 1;
        }
        progress.rounds.fetch_add(1, Ordering::Relaxed);
        progress.done.store(0, Ordering::Relaxed);
        let summaries = Summaries::new(&before.learned, &options.tuning);
        let config = Config { looked_at: Arc::new(before.learned.looked_at().clone()), ..config.clone() };
        let config = &config;
        let stepping = stepping(config, level, &options);
        let mut round =
            Round::new(Task { config: &stepping, options: &options, ..task }, &summaries, level, &before);
        match kept.take() {
            Some(kept) => round.resume(kept),
            None => round.begin(),
        }
        round.run();
        while !round.is_stopped() && !round.has_grown() && open_ignored(&round) {}
        let (found, unsupported) = {
            let gathered = round.gathered();
            (!gathered.bugs.is_empty(), gathered.unsupported.is_some())
        };
        // Operational RC11 may let a load read too old a store, so what goes wrong then is not reported. And where all
        // violations are wanted, some may lie behind what the caller has another way for.
        let enough = found && !options.keep_going;
        if (config.operational && found) || (hands_over && unsupported && !enough) {
            let what = "something that its caller has another way for".to_owned();
            return Report { unfinished: vec![Unfinished::Beyond(what)], ..Report::default() };
        }
        let over = round.is_stopped() && (found && !wants_all || round.gathered().budget.is_some());
        let reported = (over || !round.has_grown()).then(|| {
            // What was found is followed up even if the time is over.
            progress.following_up(|| report(&round, Task { config, options: &options, ..task }))
        });
        let mut earlier = before.earlier.clone();
        if reported.is_none() && wants_all {
            add_missing(&mut earlier, &round, program, config);
        }
        let news = std::mem::take(&mut round.gathered().learned);
        drop(round);
        before.earlier = earlier;
        before.learned.merge(news);
        match reported {
            Some(Some(mut report)) => {
                // A round that is complete has found them all again.
                before.earlier.retain(|finding| over && !report.has(&finding.identity));
                report.findings.append(&mut before.earlier);
                return settled(report, &options);
            }
            Some(None) => before.alone = true,
            None => before.patience = before.patience.saturating_mul(2),
        }
    }
}

/// For machines of a search. What the last thread alive does is part of its summary, so it has to be seen as well: such
/// machines stop before each of its operations.
fn stepping(config: &Config, level: Level, options: &Options) -> Config {
    let stops_alone = level != Level::None && !mutant(Mutant::LastThreadUnseen);
    let every_step = !options.reductions.has(Reduction::LastThread);
    Config { every_step, stops_alone, ..config.clone() }
}

/// No thread must be put off for ever: a cycle of states that nothing leaves, none of which was fully explored, hides
/// what the other threads could do. One state of each is opened. Going on without storing must not be put off for ever
/// either: on a cycle that is left by storing it would be, so there all states that put it off are opened. False if
/// there was none.
fn open_ignored(round: &Round<'_>) -> bool {
    if mutant(Mutant::CycleProviso) {
        return false;
    }
    let Some(graph) = round.graph() else { return false };
    let mut full = vec![false; graph.len()];
    round.gathered().full.iter().for_each(|&state| full[state as usize] = true);
    let mut puts_off = vec![false; graph.len()];
    round.gathered().puts_off.iter().for_each(|&state| puts_off[state as usize] = true);
    let cycles = graph.components();
    let mut ignored: Vec<u32> = cycles
        .iter()
        .filter(|cycle| {
            let stays = |&state: &u32| graph.edges(state).all(|(to, _)| cycle.binary_search(&to).is_ok());
            cycle.iter().all(stays) && !cycle.iter().any(|&state| full[state as usize])
        })
        .filter_map(|cycle| cycle.first().copied())
        .collect();
    let put_off = |&state: &u32| puts_off[state as usize] && !full[state as usize];
    ignored.extend(cycles.iter().flatten().copied().filter(put_off));
    ignored.sort_unstable();
    ignored.dedup();
    if ignored.is_empty() {
        return false;
    }
    let parents = graph.parents();
    let reached = |&state: &u32| (state, graph::path(&parents, state));
    round.reopen_all(ignored.iter().rev().map(reached).collect());
    true
}

/// What a round found out. `None`: there is something to be reported for which the order of exploration matters, so that
/// it has to be found by one worker alone.
fn report(round: &Round<'_>, task: Task<'_>) -> Option<Report> {
    let Task { program, config, options, progress, hands_over } = task;
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
        report.findings = shortest::explore(Task { hands_over: false, ..task }, Some(most)).findings;
    }
    let mut missing: Vec<_> = bugs.iter().filter(|(identity, _)| !report.has(identity)).collect();
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
    let path = |place: Place| place.map_or(Vec::new(), |(state, _)| graph::path(&parents, state));
    for (identity, &place) in missing {
        match retraced(round, &path(place), identity, place, (program, config)) {
            Some(finding) => report.findings.push(finding),
            None => report.unfinished.push(Unfinished::Lost),
        }
    }
    if complete
        && options.counts_endless()
        && let Some(endless) = fair_cycles::fair_cycle(round, &graph)
    {
        if options.jobs > 1 && progress.at_limit().is_none() {
            return None;
        }
        let counterexample = round.retrace(&graph::path(&parents, endless.state), None);
        let mut machine = Machine::new(program.clone(), config.clone());
        let mut picks = counterexample.picks();
        // Where the last thread alive runs on for ever, a machine that need not stop does so in one step.
        let runs_on = picks
            .iter()
            .position(|&pick| matches!(step::advance(&mut machine, pick, progress), Advanced::Endless(_)));
        let cycle = match runs_on {
            Some(last) => {
                picks.truncate(last + 1);
                Choices::default()
            }
            None => step::choices(&machine, &endless.picks),
        };
        let name = |thread: &ThreadId| machine.threads()[thread.index()].name.clone();
        let bug = Bug::Livelock { threads: endless.threads.iter().map(name).collect(), cycle };
        let machine = Machine::new(program.clone(), config.clone());
        match Finding::by_picks(machine, bug, &picks, progress) {
            Some(finding) => report.findings.push(finding),
            None => report.unfinished.push(Unfinished::Lost),
        }
    }
    if let Some(place) = unsupported
        && !hands_over
    {
        let counterexample = round.retrace(&path(place), place);
        if counterexample.unsupported.is_none() {
            report.unfinished.push(Unfinished::Lost);
        }
        if let Some(outcome) = counterexample.unsupported.clone() {
            let mut machine = Machine::new(program.clone(), config.clone());
            let picks = counterexample.picks();
            picks.iter().for_each(|&pick| {
                step::advance(&mut machine, pick, progress);
            });
            let choices = step::choices(&machine, &picks);
            report.unfinished.push(Unfinished::Unsupported { outcome, choices });
        }
    }
    if round.has_lost() {
        report.unfinished.push(Unfinished::Lost);
    }
    Some(settled(report, options))
}

/// The findings in their order, as many as are wanted.
fn settled(mut report: Report, options: &Options) -> Report {
    report.findings.sort_by_key(|finding| finding.switches);
    if !options.keep_going {
        report.findings.truncate(1);
    }
    report
}

/// The violation that was met on the way to a place, if it is there again.
fn retraced(
    round: &Round<'_>,
    path: &[u16],
    identity: &str,
    place: Place,
    (program, config): (&Arc<Program>, &Config),
) -> Option<Finding> {
    let counterexample = round.retrace(path, place);
    let (_, bug, picks) = counterexample.bugs.iter().find(|(known, ..)| known == identity)?;
    let machine = Machine::new(program.clone(), config.clone());
    Finding::by_picks(machine, bug.clone(), picks, round.progress)
}

/// Adds what a round has found that does not count: the one that does may not come to its end.
fn add_missing(earlier: &mut Vec<Finding>, round: &Round<'_>, program: &Arc<Program>, config: &Config) {
    let bugs: Vec<(String, Place)> =
        round.gathered().bugs.iter().map(|(identity, &place)| (identity.clone(), place)).collect();
    let known = |identity: &String| earlier.iter().any(|finding| finding.identity == *identity);
    let missing: Vec<_> = bugs.into_iter().filter(|(identity, _)| !known(identity)).collect();
    if missing.is_empty() {
        return;
    }
    let parents = round.graph().unwrap_or_default().parents();
    for (identity, place) in missing {
        let path = place.map_or(Vec::new(), |(state, _)| graph::path(&parents, state));
        earlier.extend(retraced(round, &path, &identity, place, (program, config)));
    }
}
