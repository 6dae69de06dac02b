//! The exploration by maximal path causality as it was published, in its two strategies.
//!
//! After each execution every thread either keeps its whole path or decides differently at one of its decisions that are not
//! given yet, and every combination of that is asked for: all events of the threads up to there happen, and no others.
//! The second strategy goes on where there is no answer: it holds some threads of the contradiction back, at what was
//! given of them before, lets the others go on, and asks for the combination again with what they have shown. It misses
//! paths for which a thread has to stop in between, or that need what is shown only later
//! ([`selvedge_paths::Search`] does not).

use selvedge_paths::{
    BranchKind, End, Failure, Findings, Finish, Limits, NodeId, Request, Runner, SearchError, System,
    ThreadEnd, Trees,
};
use selvedge_terms::decide::{Literal, Outcome, Solver};
use selvedge_trace::Model;
use std::collections::{BTreeMap, BTreeSet};

/// Threads that may be held back: of more there are too many sets.
const MOST_HELD: usize = 8;

/// Which of the published strategies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Published {
    /// What has no answer is given up.
    First,
    /// What has no answer is asked for again when some threads have gone on.
    Second,
}

/// How far a thread is to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    /// To the end of its path.
    Whole,
    /// To this decision, counted from 0 on, where it decides differently.
    Turn(usize),
    /// As far as this many decisions say, and no step further.
    Held(usize),
}

/// An execution that is to be performed, and how many decisions of each thread are given in it.
struct Work {
    request: Request,
    given: BTreeMap<usize, usize>,
}

/// Where the threads of an execution stand in the end: the last node of each, and how many of its steps were taken.
type Stands = BTreeMap<usize, (NodeId, usize)>;

/// The path of a thread: the nodes from the first to the last.
type Path = Vec<NodeId>;

/// A combination that is asked for: for each thread its path and its target.
type Combination = BTreeMap<usize, (Path, Target)>;

/// What is known where a combination is asked for.
struct Known<S> {
    trees: Trees,
    system: System<S>,
}

/// What is known after an execution, and the paths of its threads there.
type Shown<S> = (Known<S>, BTreeMap<usize, Path>);

struct Exploration<'a, R, F> {
    runner: &'a mut R,
    make: F,
    model: Model,
    strategy: Published,
    limits: &'a Limits<'a>,
    /// All that was seen, to tell paths apart.
    all: Trees,
    seen: BTreeSet<Stands>,
    work: Vec<Work>,
    findings: Findings,
}

/// Explores as published.
pub fn explore<R: Runner, S: Solver>(
    runner: &mut R,
    make: impl Fn() -> S,
    model: Model,
    strategy: Published,
    limits: &Limits<'_>,
) -> Result<Findings, SearchError<R::Error>> {
    let mut exploration = Exploration {
        runner,
        make,
        model,
        strategy,
        limits,
        all: Trees::new(),
        seen: BTreeSet::new(),
        work: vec![Work { request: Request::default(), given: BTreeMap::new() }],
        findings: Findings::default(),
    };
    while let Some(work) = exploration.work.pop() {
        if exploration.over() {
            exploration.findings.finish = Finish::Stopped;
            break;
        }
        exploration.perform(&work)?;
    }
    Ok(exploration.findings)
}

impl<R: Runner, S: Solver, F: Fn() -> S> Exploration<'_, R, F> {
    fn over(&self) -> bool {
        let limits = self.limits;
        limits.executions.is_some_and(|most| self.findings.executions >= most) || (limits.stop)()
    }

    /// Performs an execution and adds it to what is known somewhere: the paths of its threads there.
    fn run(&mut self, request: &Request, known: Option<&Trees>) -> Result<Shown<S>, SearchError<R::Error>> {
        let execution = self.runner.run(request).map_err(SearchError::Run)?;
        self.findings.executions += 1;
        let learned = self.all.learn(&execution)?;
        let stands: Stands =
            learned.ends().iter().map(|&(thread, node, passed)| (thread, (node, passed))).collect();
        let (mut complete, mut blocked) = (true, false);
        for path in &execution.threads {
            match &path.end {
                ThreadEnd::Finished => {}
                ThreadEnd::Failed(failure) => {
                    if !self.findings.failures.iter().any(|known| known.failure == *failure) {
                        let (thread, request) = (path.thread.clone(), request.clone());
                        self.findings.failures.push(Failure { thread, failure: *failure, request });
                    }
                }
                ThreadEnd::Blocked(_) => blocked = true,
                ThreadEnd::Discarded | ThreadEnd::Cut => complete = false,
            }
        }
        if complete && self.seen.insert(stands) {
            match blocked {
                true => self.findings.deadlocks += 1,
                false => self.findings.paths += 1,
            }
        }
        let mut trees = known.cloned().unwrap_or_default();
        let learned = trees.learn(&execution)?;
        let paths = learned.ends().iter().map(|&(thread, node, _)| (thread, path(&trees, node))).collect();
        let mut system = System::new((self.make)(), self.model, &trees);
        // All accesses are known: it fits.
        let _ = system.grow(&mut trees);
        Ok((Known { trees, system }, paths))
    }

    fn perform(&mut self, work: &Work) -> Result<(), SearchError<R::Error>> {
        let (mut known, paths) = self.run(&work.request, None)?;
        let all_whole: Combination =
            paths.into_iter().map(|(thread, path)| (thread, (path, Target::Whole))).collect();
        self.split(&mut known, &all_whole, &work.given, &BTreeSet::new(), false)
    }

    /// Asks for all combinations in which threads keep their paths or turn at a decision that is not given. Those that are
    /// held keep their targets.
    fn split(
        &mut self,
        known: &mut Known<S>,
        paths: &Combination,
        given: &BTreeMap<usize, usize>,
        held: &BTreeSet<usize>,
        with_whole: bool,
    ) -> Result<(), SearchError<R::Error>> {
        let mut choices: Vec<(usize, Vec<Target>)> = Vec::new();
        for (&thread, (path, target)) in paths {
            let from = given.get(&thread).copied().unwrap_or(0);
            let mut targets = vec![*target];
            if !held.contains(&thread) {
                let turns = (from..path.len().saturating_sub(1)).filter(|&at| turns(&known.trees, path, at));
                targets.extend(turns.map(Target::Turn));
            }
            choices.push((thread, targets));
        }
        let mut digits = vec![0; choices.len()];
        loop {
            if self.over() {
                return Ok(());
            }
            if with_whole || digits.iter().any(|&digit| digit > 0) {
                let combination: Combination = choices
                    .iter()
                    .zip(&digits)
                    .map(|((thread, targets), &digit)| (*thread, (paths[thread].0.clone(), targets[digit])))
                    .collect();
                self.ask(known, &combination, given)?;
            }
            // The next combination.
            let Some(place) = (0..digits.len()).find(|&place| digits[place] + 1 < choices[place].1.len())
            else {
                return Ok(());
            };
            digits[place] += 1;
            digits[..place].fill(0);
        }
    }

    /// Asks for a combination; if there is none, and the strategy goes on then, for one from which more can be seen.
    fn ask(
        &mut self,
        known: &mut Known<S>,
        combination: &Combination,
        given: &BTreeMap<usize, usize>,
    ) -> Result<(), SearchError<R::Error>> {
        match self.solve(known, combination) {
            (Outcome::Sat, _) => {
                let request = known.system.request(&known.trees, None);
                let given = combination.iter().map(|(&thread, (path, target))| {
                    let decided = match target {
                        Target::Whole => path.len().saturating_sub(1),
                        Target::Turn(at) => at + 1,
                        Target::Held(decided) => *decided,
                    };
                    (thread, decided)
                });
                self.work.push(Work { request, given: given.collect() });
                Ok(())
            }
            (Outcome::Unsat, core) if self.strategy == Published::Second => {
                self.extend(known, combination, given, &core)
            }
            _ => Ok(()),
        }
    }

    /// Holds threads of a contradiction back until the others can go on, and asks again with what they have shown.
    fn extend(
        &mut self,
        known: &mut Known<S>,
        combination: &Combination,
        given: &BTreeMap<usize, usize>,
        core: &[usize],
    ) -> Result<(), SearchError<R::Error>> {
        // Those of the contradiction first; any others may help as well, since a contradiction is rarely the only one.
        let threads: Vec<usize> = combination.keys().copied().take(MOST_HELD).collect();
        let mut sets: Vec<BTreeSet<usize>> = (1_u32..1 << threads.len())
            .map(|bits| {
                let members = threads.iter().enumerate().filter(|(place, _)| bits >> place & 1 == 1);
                members.map(|(_, &thread)| thread).collect()
            })
            .collect();
        let outside = |set: &BTreeSet<usize>| set.iter().any(|thread| !core.contains(thread));
        sets.sort_by_key(|set| (outside(set), std::cmp::Reverse(set.len())));
        for held in sets {
            let grows = |(thread, (_, target)): (&usize, &(Path, Target))| {
                !held.contains(thread) && matches!(target, Target::Turn(_))
            };
            if !combination.iter().any(grows) {
                continue;
            }
            let mut extended = combination.clone();
            for thread in &held {
                if let Some((_, target)) = extended.get_mut(thread) {
                    *target = Target::Held(given.get(thread).copied().unwrap_or(0));
                }
            }
            if self.over() {
                return Ok(());
            }
            if self.solve(known, &extended).0 != Outcome::Sat {
                continue;
            }
            let request = known.system.request(&known.trees, None);
            let (mut more, paths) = self.run(&request, Some(&known.trees))?;
            let mut again = combination.clone();
            let mut fixed = given.clone();
            for (&thread, (path, target)) in &mut again {
                if let (false, Target::Turn(at), Some(new)) =
                    (held.contains(&thread), *target, paths.get(&thread))
                {
                    (*path, *target) = (new.clone(), Target::Whole);
                    fixed.insert(thread, at + 1);
                }
            }
            // A thread that was not held and kept its path keeps it; nothing is left to be chosen there.
            let mut kept = held.clone();
            kept.extend(
                combination.iter().filter(|(_, (_, target))| *target == Target::Whole).map(|(&t, _)| t),
            );
            return self.split(&mut more, &again, &fixed, &kept, true);
        }
        Ok(())
    }

    /// Whether there is such a combination; if not, the threads that make it impossible.
    fn solve(&mut self, known: &mut Known<S>, combination: &Combination) -> (Outcome, Vec<usize>) {
        let Known { trees, system } = known;
        let goals: Vec<(usize, Literal)> = combination
            .iter()
            .map(|(&thread, (path, target))| (thread, target_of(system, trees, path, *target)))
            .collect();
        let literals: Vec<Literal> = goals.iter().map(|&(_, literal)| literal).collect();
        let before = system.questions();
        let outcome = system.solve(trees, &literals);
        self.findings.questions += system.questions() - before;
        let core = system.solver().core().to_vec();
        let threads = goals.iter().filter(|(_, literal)| core.contains(literal)).map(|&(thread, _)| thread);
        (outcome, threads.collect())
    }
}

/// The nodes that lead to a node, and itself.
fn path(trees: &Trees, node: NodeId) -> Path {
    let mut path: Path = std::iter::successors(Some(node), |&at| trees.parent(at)).collect();
    path.reverse();
    path
}

/// Whether a thread may decide differently at a decision of its path.
fn turns(trees: &Trees, path: &[NodeId], at: usize) -> bool {
    match trees.end(path[at]) {
        End::Decision { kind: Some(BranchKind::Assume), .. } => false,
        End::Decision { .. } => {
            let condition = trees.condition(path[at + 1]);
            condition.is_none_or(|condition| trees.terms().known(condition).is_none())
        }
        _ => false,
    }
}

/// A literal that implies that a thread comes as far as its target, and no further.
fn target_of<S: Solver>(system: &mut System<S>, trees: &Trees, path: &[NodeId], target: Target) -> Literal {
    match target {
        Target::Whole => match path.last() {
            Some(&last) => system.reached(trees, last),
            None => system.solver().yes(),
        },
        Target::Turn(at) => {
            let decision = path[at];
            let mut outcomes: Vec<Literal> = system.beyond(decision).into_iter().collect();
            if let End::Decision { children, closed, .. } = trees.end(decision) {
                for &child in children.iter().filter(|&&child| child != path[at + 1]) {
                    // Of a step that has two outcomes the other one is known with the step itself.
                    outcomes.push(stops(system, trees, child, usize::from(*closed)));
                }
            }
            system.one_of(outcomes)
        }
        Target::Held(0) => stops(system, trees, path[0], 0),
        Target::Held(decided) => stops(system, trees, path[decided.min(path.len() - 1)], 0),
    }
}

/// A literal that implies that a thread enters a node, takes so many steps of it, and no more.
fn stops<S: Solver>(system: &mut System<S>, trees: &Trees, node: NodeId, steps: usize) -> Literal {
    let literal = system.solver().fresh();
    let events = trees.steps(node);
    if let Some(&last) = steps.checked_sub(1).and_then(|last| events.get(last)) {
        let happens = system.happens(last);
        system.solver().clause(&[!literal, happens]);
    } else if trees.parent(node).is_some() {
        let entered = system.entered(node);
        system.solver().clause(&[!literal, entered]);
    }
    match (events.get(steps), trees.end(node)) {
        (Some(&next), _) => {
            let happens = system.happens(next);
            system.solver().clause(&[!literal, !happens]);
        }
        (None, End::Decision { children, .. }) => {
            for &child in children {
                let entered = system.entered(child);
                system.solver().clause(&[!literal, !entered]);
            }
            if let Some(beyond) = system.beyond(node) {
                system.solver().clause(&[!literal, !beyond]);
            }
        }
        _ => {}
    }
    literal
}
