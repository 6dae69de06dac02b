//! All combinations of paths, by decisions.
//!
//! The trees of the threads are gone down one after the other: is there a combination in which the first thread decides so?
//! Then goes on so? Where there is none, nothing below has to be asked for. Every answer is a new combination, since a
//! question is left out where one is known already. That something is impossible is shown for one beginning of paths
//! after the other, each with what was learned from those before; to show it for all combinations at once takes a SAT solver
//! far longer.

use super::execution::{Execution, Request, ThreadEnd};
use super::goals::Stand;
use super::restrict::Restricted;
use super::search::{Failure, Finish, Runner, SearchError};
use super::shares::{Stands, moved};
use super::system::System;
use super::tree::{End, Learned, NodeId, Trees};
use selvedge_terms::decide::{Literal, Outcome, Solver};

/// A descent through the trees.
pub(super) struct Descent<'a, R, S> {
    runner: &'a mut R,
    system: &'a mut System<S>,
    restricted: &'a mut Restricted,
    /// That all threads are at their ends.
    goal: Literal,
    over: &'a dyn Fn() -> bool,
    /// The threads, in the order in which they are gone down.
    threads: Vec<usize>,
    /// For each node: whether there is an end below it.
    ends: Vec<bool>,
    /// What is assumed now.
    held: Vec<Literal>,
    /// Combinations that are known.
    known: Vec<Stands>,
    /// New ones, by the names that their nodes have among all trees.
    pub(super) found: Vec<Stands>,
    pub(super) failures: Vec<Failure>,
    pub(super) executions: u64,
    pub(super) finish: Finish,
    /// An execution showed something that was not known.
    pub(super) surprised: bool,
}

/// Whether to go on.
enum Next {
    /// There is such a combination, with this number.
    There(usize),
    /// There is none.
    Nowhere,
    /// The search is over.
    Over,
}

impl<'a, R: Runner, S: Solver> Descent<'a, R, S> {
    /// At the top, with combinations that are known.
    pub(super) fn new(
        runner: &'a mut R,
        system: &'a mut System<S>,
        restricted: &'a mut Restricted,
        goal: Literal,
        over: &'a dyn Fn() -> bool,
        known: Vec<Stands>,
    ) -> Self {
        let trees = &restricted.trees;
        let mut leaves = vec![0_usize; trees.threads.len()];
        let mut ends = vec![false; trees.nodes.len()];
        for (index, node) in trees.nodes.iter().enumerate() {
            if !matches!(node.end, End::Finished | End::Failed(_)) {
                continue;
            }
            leaves[node.thread] += 1;
            let mut at = Some(NodeId(index as u32));
            while let Some(node) = at.filter(|node| !ends[node.index()]) {
                ends[node.index()] = true;
                at = trees.nodes[node.index()].parent;
            }
        }
        let mut threads: Vec<usize> = (0..leaves.len()).collect();
        threads.sort_by_key(|&thread| std::cmp::Reverse(leaves[thread]));
        Descent {
            runner,
            system,
            restricted,
            goal,
            over,
            threads,
            ends,
            held: Vec::new(),
            known,
            found: Vec::new(),
            failures: Vec::new(),
            executions: 0,
            finish: Finish::Complete,
            surprised: false,
        }
    }

    /// Finds all combinations.
    pub(super) fn go(&mut self) -> Result<(), SearchError<R::Error>> {
        let known = (0..self.known.len()).collect();
        self.thread(0, known).map(drop)
    }

    /// Goes down the trees from the `place`-th thread on. `known`: combinations that begin as is assumed. Whether to go on.
    fn thread(&mut self, place: usize, known: Vec<usize>) -> Result<bool, SearchError<R::Error>> {
        let Some(&thread) = self.threads.get(place) else { return Ok(true) };
        let tree = &self.restricted.trees.threads[thread];
        let (root, started) = (tree.root, self.system.sync.roots[thread]);
        if !tree.forked {
            return self.node(place, root, known);
        }
        for absent in [false, true] {
            let same = |&number: &usize| (self.known[number].get(&thread) == Some(&Stand::Absent)) == absent;
            let below: Vec<usize> = known.iter().copied().filter(same).collect();
            self.held.push(if absent { !started } else { started });
            let goes_on = match self.below(below)? {
                Some(below) if absent => self.thread(place + 1, below)?,
                Some(below) => self.node(place, root, below)?,
                None => self.finish == Finish::Complete && !self.surprised,
            };
            self.held.pop();
            if !goes_on {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Goes down from a node of the `place`-th thread.
    fn node(&mut self, place: usize, node: NodeId, known: Vec<usize>) -> Result<bool, SearchError<R::Error>> {
        let children = match &self.restricted.trees.nodes[node.index()].end {
            End::Finished | End::Failed(_) => {
                self.held.push(self.system.reached(&self.restricted.trees, node));
                let goes_on = match self.below(known)? {
                    Some(below) => self.thread(place + 1, below)?,
                    None => self.finish == Finish::Complete && !self.surprised,
                };
                self.held.pop();
                return Ok(goes_on);
            }
            End::Decision { children, .. } => children.clone(),
            End::Open | End::Discarded => return Ok(true),
        };
        for child in children.into_iter().filter(|child| self.ends[child.index()]).collect::<Vec<_>>() {
            let trees = &self.restricted.trees;
            let thread = trees.nodes[node.index()].thread;
            let there = |&number: &usize| match self.known[number].get(&thread) {
                Some(Stand::Leaf(leaf)) => trees.leads_to(child, *leaf),
                _ => false,
            };
            let below: Vec<usize> = known.iter().copied().filter(there).collect();
            self.held.push(self.system.entered[child.index()]);
            let goes_on = match self.below(below)? {
                Some(below) => self.node(place, child, below)?,
                None => self.finish == Finish::Complete && !self.surprised,
            };
            self.held.pop();
            if !goes_on {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Combinations that begin as is assumed: those that are known, or a new one, or nothing.
    fn below(&mut self, known: Vec<usize>) -> Result<Option<Vec<usize>>, SearchError<R::Error>> {
        if !known.is_empty() {
            return Ok(Some(known));
        }
        Ok(match self.ask()? {
            Next::There(number) => Some(vec![number]),
            Next::Nowhere | Next::Over => None,
        })
    }

    /// Asks for a combination that begins as is assumed, and performs it.
    fn ask(&mut self) -> Result<Next, SearchError<R::Error>> {
        if (self.over)() {
            self.finish = Finish::Stopped;
            return Ok(Next::Over);
        }
        let goal: Vec<Literal> = [self.goal].into_iter().chain(self.held.iter().copied()).collect();
        match self.system.solve(&self.restricted.trees, &goal) {
            Outcome::Unsat => return Ok(Next::Nowhere),
            Outcome::Unknown => {
                self.finish = Finish::Undecided;
                return Ok(Next::Over);
            }
            Outcome::Sat => {}
        }
        let request = self.system.request(&self.restricted.trees, None);
        let execution = self.runner.run(&request).map_err(SearchError::Run)?;
        self.executions += 1;
        let learned = self.restricted.trees.learn(&execution).ok().filter(|learned| !learned.new);
        let stands = learned.and_then(|learned| complete(&self.restricted.trees, &execution, &learned));
        let origins =
            stands.as_ref().and_then(|stands| moved(stands, |leaf| Some(self.restricted.origin(leaf))));
        let (Some(stands), Some(origins)) = (stands, origins) else {
            self.surprised = true;
            return Ok(Next::Over);
        };
        if self.known.contains(&stands) {
            // It did not do what the solution says.
            self.surprised = true;
            return Ok(Next::Over);
        }
        self.failures.extend(failures(&request, &execution));
        self.known.push(stands);
        self.found.push(origins);
        Ok(Next::There(self.known.len() - 1))
    }
}

/// Where the threads of an execution stand, if all have come to their ends.
fn complete(trees: &Trees, execution: &Execution, learned: &Learned) -> Option<Stands> {
    let mut stands: Stands = (0..trees.threads.len()).map(|thread| (thread, Stand::Absent)).collect();
    for (path, &(thread, node, _)) in execution.threads.iter().zip(&learned.ends) {
        if !matches!(path.end, ThreadEnd::Finished | ThreadEnd::Failed(_)) {
            return None;
        }
        stands.insert(thread, Stand::Leaf(node));
    }
    Some(stands)
}

fn failures<'e>(request: &'e Request, execution: &'e Execution) -> impl Iterator<Item = Failure> + 'e {
    execution.threads.iter().filter_map(|path| match path.end {
        ThreadEnd::Failed(failure) => {
            Some(Failure { thread: path.thread.clone(), failure, request: request.clone() })
        }
        _ => None,
    })
}
