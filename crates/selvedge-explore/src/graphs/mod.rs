//! Exploration under the language's memory model: all execution graphs, each once.

mod threads;

use crate::report::{Bug, Finding, Report, Unfinished};
use crate::walk::{self, Ending};
use crate::{Budget, Options, Progress, Strategy};
use selvedge_machine::{Ahead, Config, Pick};
use selvedge_program::Program as Code;
use selvedge_relations::{
    End, Event, Graph, Kind, Next, Program, Rules, explore as explore_graphs, explore_states,
};
use selvedge_trace::{Model, ThreadId};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use threads::{Threads, Trouble};

/// Explores the executions of a program under the language's memory model.
pub fn explore(code: &Arc<Code>, config: &Config, options: &Options, progress: &Progress) -> Report {
    let mut threads = Threads::new(code, config, progress);
    let mut search = Search { options, progress, report: Report::default(), found: Vec::new(), wanted: None };
    let by_states = options.strategy == Strategy::States && config.model == Model::Rc11;
    if !matches!(options.strategy, Strategy::Auto | Strategy::Optimal) && !by_states {
        let what = format!("the strategy {} does not know {}", options.strategy.name(), config.model.name());
        search.report.unfinished.push(Unfinished::Beyond(what));
        return search.report;
    }
    if options.unroll.is_some() || options.preemptions.is_some() || options.count_views {
        let what = "bounds on loops and interruptions, and views, are not known under rc11";
        search.report.unfinished.push(Unfinished::Beyond(what.to_owned()));
        return search.report;
    }
    let rules = if config.model == Model::Mca { Rules::Mca } else { Rules::Rc11 };
    let mut visit = |threads: &mut Threads<'_>, graph: &Graph, end| search.visit(threads, graph, end);
    if by_states {
        let matched = explore_states(&mut threads, &mut visit);
        search.report.states = Some(matched.states);
        if matched.beyond {
            let what = "sequentially consistent accesses, loops that wait, and synchronisation other than mutexes, with the strategy states under rc11";
            search.report.unfinished.push(Unfinished::Beyond(what.to_owned()));
        }
    } else {
        explore_graphs(&mut threads, rules, &mut visit);
    }
    let Search { mut report, mut found, .. } = search;
    found.sort_by(|a, b| (a.switches, &a.identity).cmp(&(b.switches, &b.identity)));
    report.findings = found;
    report.steps = threads.steps();
    report
}

/// Whether an execution under a stronger model shows what was found under the language's: nothing where the search for
/// it does not come to an end, for which it may look at so many executions.
pub fn exists_under(
    code: &Arc<Code>,
    config: &Config,
    (model, finding): (Model, &Finding),
    options: &Options,
    progress: &Progress,
) -> Option<bool> {
    let (own, rules) = match model {
        Model::Sc => (Model::Rc11, Rules::Sc),
        Model::Tso => (Model::Rc11, Rules::Tso),
        Model::Mca => (Model::Mca, Rules::Mca),
        Model::Rc11 => (Model::Rc11, Rules::Rc11),
        Model::Pso => return None,
    };
    let config = Config { model: own, ..config.clone() };
    let mut threads = Threads::new(code, &config, progress);
    let wanted = Some(finding.identity.as_str());
    let mut search = Search { options, progress, report: Report::default(), found: Vec::new(), wanted };
    explore_graphs(&mut threads, rules, &mut |threads, graph, end| search.visit(threads, graph, end));
    match (search.found.is_empty(), search.report.unfinished.is_empty()) {
        (false, _) => Some(true),
        (true, true) => Some(false),
        (true, false) => None,
    }
}

struct Search<'a> {
    options: &'a Options,
    progress: &'a Progress,
    report: Report,
    found: Vec<Finding>,
    /// Only this violation counts.
    wanted: Option<&'a str>,
}

impl Search<'_> {
    fn visit(&mut self, threads: &mut Threads<'_>, graph: &Graph, end: End) -> ControlFlow<()> {
        let stop = match end {
            End::Complete => self.complete(threads),
            // Who ends the process does not care who waits.
            End::Deadlock if self.main_has_ended(threads, graph) => self.complete(threads),
            End::Deadlock => {
                threads.machine.picks(&mut Vec::new());
                match threads.machine.outcome() {
                    Some(_) => self.ended(threads),
                    None => {
                        let what = "a mutex that its holder takes again, under rc11";
                        self.unfinished(Unfinished::Beyond(what.to_owned()));
                        false
                    }
                }
            }
            End::Stuck => {
                self.report.blocked += 1;
                self.stuck(threads, graph)
            }
            End::Failed | End::Race(_) => match threads.trouble.take() {
                Some(trouble) => self.trouble(threads, trouble),
                None => self.ended(threads),
            },
        };
        match self.over() {
            _ if stop => ControlFlow::Break(()),
            Some(budget) => {
                self.unfinished(Unfinished::Budget(budget));
                ControlFlow::Break(())
            }
            None => ControlFlow::Continue(()),
        }
    }

    fn over(&self) -> Option<Budget> {
        let full = || self.progress.memory_full.load(Ordering::Relaxed).then_some(Budget::Memory);
        let looked_at = match self.wanted {
            Some(_) => self.report.executions + self.report.blocked,
            None => self.report.executions,
        };
        let most = self.options.max_executions.filter(|&most| looked_at >= most);
        self.progress.over().or_else(full).or(most.map(|_| Budget::Executions))
    }

    fn main_has_ended(&self, threads: &mut Threads<'_>, graph: &Graph) -> bool {
        threads.next(graph, 0) == Next::Ended
    }

    /// All threads have done what they do; what is left is that main ends the process.
    fn complete(&mut self, threads: &mut Threads<'_>) -> bool {
        if threads.machine.outcome().is_none() && !threads.machine.threads()[0].is_finished() {
            threads.advance(0, 0);
        }
        self.ended(threads)
    }

    fn ended(&mut self, threads: &mut Threads<'_>) -> bool {
        if threads.machine.outcome().is_none() {
            self.unfinished(Unfinished::Lost);
            return false;
        }
        self.report.executions += 1;
        self.progress.executions.fetch_add(1, Ordering::Relaxed);
        match walk::ending(&mut threads.machine, self.options) {
            Ending::Complete => false,
            Ending::Blocked => {
                self.report.executions -= 1;
                self.report.blocked += 1;
                false
            }
            Ending::Bug(bug) => self.find(threads, bug),
            Ending::Unsupported(outcome) => {
                let choices = walk::choices(&threads.machine, &threads.picks);
                self.unfinished(Unfinished::Unsupported { outcome, choices });
                // Whatever else there is, the answer is not known.
                !self.options.keep_going
            }
        }
    }

    fn unfinished(&mut self, reason: Unfinished) {
        let kind = std::mem::discriminant(&reason);
        if !self.report.unfinished.iter().any(|known| std::mem::discriminant(known) == kind) {
            self.report.unfinished.push(reason);
        }
    }

    fn find(&mut self, threads: &Threads<'_>, bug: Bug) -> bool {
        let identity = match threads.machine.raced() {
            // Whichever of the two comes second.
            Some([first, second]) => {
                let (first, second) = (first.position, second.position);
                format!("race {} {}", first.min(second), first.max(second))
            }
            None => bug.identity(&threads.machine),
        };
        if self.wanted.is_some_and(|wanted| wanted != identity) {
            return false;
        }
        let finding = Finding {
            inputs: None,
            identity,
            bug,
            choices: walk::choices(&threads.machine, &threads.picks),
            digest: threads.machine.digest(),
            switches: walk::switches(&threads.picks),
        };
        match self.found.iter_mut().find(|known| known.identity == finding.identity) {
            Some(known) if known.switches <= finding.switches => {}
            Some(known) => *known = finding,
            None => self.found.push(finding),
        }
        !self.options.keep_going || self.wanted.is_some()
    }

    fn trouble(&mut self, threads: &Threads<'_>, trouble: Trouble) -> bool {
        match trouble {
            Trouble::Length => {
                self.unfinished(Unfinished::Budget(Budget::Length));
                // There is no end to such executions.
                return true;
            }
            Trouble::Interrupted => {
                self.unfinished(Unfinished::Budget(self.progress.over().unwrap_or(Budget::Interrupted)));
                return true;
            }
            Trouble::Beyond(what) => self.unfinished(Unfinished::Beyond(what.to_owned())),
            Trouble::Lost => self.unfinished(Unfinished::Lost),
            Trouble::Endless(thread) => {
                let bug = Bug::Livelock { threads: vec![thread], cycle: Default::default() };
                return self.find(threads, bug);
            }
        }
        false
    }

    /// Threads that only look at what will not change go round for ever.
    fn stuck(&mut self, threads: &mut Threads<'_>, graph: &Graph) -> bool {
        let stuck: Vec<u32> =
            (0..graph.threads()).filter(|&thread| threads.next(graph, thread) == Next::Stuck).collect();
        let silent = |threads: &mut Threads<'_>, thread: u32| {
            threads.index(thread).is_some_and(|index| threads.machine.ahead(index) == Ahead::Silent)
        };
        if stuck.iter().any(|&thread| silent(threads, thread)) {
            // It goes round looking at plain memory, or waits for something that is no event.
            self.unfinished(Unfinished::Circles);
            return false;
        }
        let rounds: Vec<(u32, u32)> =
            stuck.iter().filter_map(|&thread| Some((thread, threads.round(graph, thread)?))).collect();
        if rounds.is_empty() || rounds.len() < stuck.len() {
            return false;
        }
        // What read something else than the last value can read that later: that is looked at elsewhere.
        let reads_last = |thread: u32, from: u32| {
            let events = graph.events(thread);
            // Whether something fails for no reason is decided before the read.
            let decided = |event: &Event| matches!(event.label.kind, Kind::Choice { .. });
            let before = from.checked_sub(1).filter(|&before| decided(&events[before as usize]));
            events[before.unwrap_or(from) as usize..].iter().all(|event| match event.label.kind {
                Kind::Read { .. } => {
                    let location = &graph.locations()[event.label.location as usize];
                    let last = location.records.last().and_then(|record| record.write);
                    last.map_or(location.initial, |last| graph.event(last).value) == event.value
                }
                Kind::Choice { .. } => event.value == 0,
                _ => true,
            })
        };
        if !rounds.iter().all(|&(thread, from)| reads_last(thread, from)) {
            return false;
        }
        let mut cycle: Vec<Pick> = Vec::new();
        let mut names = Vec::new();
        for &(thread, from) in &rounds {
            let Some(index) = threads.index(thread) else { return false };
            names.push(threads.machine.threads()[index].name.clone());
            // One round is what led from the one read to the next.
            let own = |pick: &&Pick| walk::thread_of(**pick) == ThreadId(index as u16);
            let steps = threads.picks_since(thread, from);
            cycle.extend(
                threads.picks[steps..]
                    .iter()
                    .filter(own)
                    .map(|_| Pick::Step { thread: ThreadId(index as u16), alternative: 0 }),
            );
        }
        let cycle = walk::choices(&threads.machine, &cycle);
        self.find(threads, Bug::Livelock { threads: names, cycle })
    }
}
