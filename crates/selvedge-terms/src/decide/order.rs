//! The order of moments as a graph without cycles.
//!
//! Every order literal is an edge, forwards if it holds and backwards if it does not. The graph keeps a topological
//! order of its nodes and mends it when an edge goes against it (the algorithm of Pearce and Kelly); where that is
//! impossible there is a cycle, and not all of its edges can hold.

use batsat::theory::TheoryArg;
use batsat::{Lit, Theory, Var};

/// An edge: where it leads, and the literal that it stands for; edges that are always there have none.
type Edge = (u32, Option<Lit>);

/// Something to be taken back.
#[derive(Clone, Copy)]
enum Done {
    Edge(u32, u32),
    Relevant(u32),
    Waits(u32),
}

/// Moments and the edges between them.
#[derive(Default)]
pub(super) struct Order {
    outgoing: Vec<Vec<Edge>>,
    incoming: Vec<Vec<Edge>>,
    /// The place of each moment; the places are a topological order.
    place: Vec<u32>,
    /// What order variables are about.
    atoms: Vec<Option<(u32, u32)>>,
    /// For each moment: the variable that says that it matters, if there is one, and that it does.
    guards: Vec<Option<Var>>,
    relevant: Vec<bool>,
    /// For each variable that says so: the moments that matter then.
    guarded: Vec<Vec<u32>>,
    /// For each moment: edges that wait until both ends matter.
    waiting: Vec<Vec<(u32, u32, Lit)>>,
    /// What was done, in order.
    trail: Vec<Done>,
    /// For each level: how many edges there were, and how much of the solver's assignment was looked at.
    levels: Vec<(usize, usize)>,
    seen: usize,
    /// Places in the last solution.
    solution: Vec<u32>,
    // Scratch.
    mark: Vec<bool>,
    parent: Vec<Option<(u32, Option<Lit>)>>,
    stack: Vec<u32>,
    forward: Vec<u32>,
    backward: Vec<u32>,
}

impl Order {
    /// A new moment, the last one so far.
    pub(super) fn moment(&mut self) -> u32 {
        let moment = self.place.len() as u32;
        self.place.push(moment);
        self.outgoing.push(Vec::new());
        self.incoming.push(Vec::new());
        self.mark.push(false);
        self.parent.push(None);
        self.guards.push(None);
        self.relevant.push(true);
        self.waiting.push(Vec::new());
        moment
    }

    /// A moment matters only if this variable holds: otherwise its place in the order is of no consequence.
    pub(super) fn guard(&mut self, moment: u32, variable: Var) {
        let index = variable.idx() as usize;
        if self.guarded.len() <= index {
            self.guarded.resize_with(index + 1, Vec::new);
        }
        self.guarded[index].push(moment);
        self.guards[moment as usize] = Some(variable);
        self.relevant[moment as usize] = false;
    }

    /// A variable says whether the first moment is earlier.
    pub(super) fn atom(&mut self, variable: Var, first: u32, second: u32) {
        let index = variable.idx() as usize;
        if self.atoms.len() <= index {
            self.atoms.resize(index + 1, None);
        }
        self.atoms[index] = Some((first, second));
    }

    /// Whether a variable says which of two moments is earlier.
    pub(super) fn is_atom(&self, variable: Var) -> bool {
        self.atoms.get(variable.idx() as usize).is_some_and(Option::is_some)
    }

    /// An edge that is always there; false if it closes a cycle. Only between questions.
    pub(super) fn always(&mut self, first: u32, second: u32) -> bool {
        debug_assert!(self.levels.is_empty());
        self.insert(first, second, None).is_ok()
    }

    /// The place of a moment in the last solution.
    pub(super) fn place(&self, moment: u32) -> u32 {
        self.solution.get(moment as usize).copied().unwrap_or(u32::MAX)
    }

    /// Adds an edge; if it closes a cycle, the literals of the cycle's other edges.
    fn insert(&mut self, first: u32, second: u32, literal: Option<Lit>) -> Result<(), Vec<Lit>> {
        if first == second {
            return Err(Vec::new());
        }
        let (low, high) = (self.place[second as usize], self.place[first as usize]);
        if low < high {
            self.collect_forward(second, first, high)?;
            self.collect_backward(first, low);
            self.reorder();
        }
        self.outgoing[first as usize].push((second, literal));
        self.incoming[second as usize].push((first, literal));
        self.trail.push(Done::Edge(first, second));
        Ok(())
    }

    /// Everything after `from` up to a place. If `target` is there: the literals on the path to it.
    fn collect_forward(&mut self, from: u32, target: u32, most: u32) -> Result<(), Vec<Lit>> {
        self.forward.clear();
        self.stack.push(from);
        self.mark[from as usize] = true;
        self.parent[from as usize] = None;
        while let Some(node) = self.stack.pop() {
            self.forward.push(node);
            for &(next, literal) in &self.outgoing[node as usize] {
                if next == target {
                    let mut path: Vec<Lit> = literal.into_iter().collect();
                    let mut at = node;
                    while let Some((previous, literal)) = self.parent[at as usize] {
                        path.extend(literal);
                        at = previous;
                    }
                    for node in self.forward.drain(..).chain(self.stack.drain(..)) {
                        self.mark[node as usize] = false;
                    }
                    return Err(path);
                }
                if !self.mark[next as usize] && self.place[next as usize] < most {
                    self.mark[next as usize] = true;
                    self.parent[next as usize] = Some((node, literal));
                    self.stack.push(next);
                }
            }
        }
        Ok(())
    }

    /// Everything before `from` down to a place.
    fn collect_backward(&mut self, from: u32, least: u32) {
        self.backward.clear();
        self.stack.push(from);
        self.mark[from as usize] = true;
        while let Some(node) = self.stack.pop() {
            self.backward.push(node);
            for &(next, _) in &self.incoming[node as usize] {
                if !self.mark[next as usize] && self.place[next as usize] > least {
                    self.mark[next as usize] = true;
                    self.stack.push(next);
                }
            }
        }
    }

    /// What comes before takes the first of the places that both have.
    fn reorder(&mut self) {
        let Order { forward, backward, place, mark, .. } = self;
        backward.sort_unstable_by_key(|&node| place[node as usize]);
        forward.sort_unstable_by_key(|&node| place[node as usize]);
        let mut places: Vec<u32> =
            backward.iter().chain(forward.iter()).map(|&node| place[node as usize]).collect();
        places.sort_unstable();
        for (&node, free) in backward.iter().chain(forward.iter()).zip(places) {
            place[node as usize] = free;
            mark[node as usize] = false;
        }
    }

    /// Looks at what the solver has assigned since the last time.
    fn look(&mut self, acts: &mut TheoryArg) -> bool {
        while let Some(&literal) = acts.model().get(self.seen) {
            self.seen += 1;
            let variable = literal.var().idx() as usize;
            if let Some(&Some((first, second))) = self.atoms.get(variable) {
                let (first, second) = if literal.sign() { (first, second) } else { (second, first) };
                if !self.edge(acts, first, second, literal) {
                    return false;
                }
            }
            if literal.sign() && self.guarded.get(variable).is_some_and(|moments| !moments.is_empty()) {
                for place in 0..self.guarded[variable].len() {
                    let moment = self.guarded[variable][place];
                    self.relevant[moment as usize] = true;
                    self.trail.push(Done::Relevant(moment));
                    for edge in 0..self.waiting[moment as usize].len() {
                        let (first, second, literal) = self.waiting[moment as usize][edge];
                        if !self.edge(acts, first, second, literal) {
                            return false;
                        }
                    }
                }
            }
        }
        true
    }

    /// An edge for a literal that holds, as soon as both ends matter.
    fn edge(&mut self, acts: &mut TheoryArg, first: u32, second: u32, literal: Lit) -> bool {
        let waits_for = [first, second].into_iter().find(|&moment| !self.relevant[moment as usize]);
        if let Some(moment) = waits_for {
            self.waiting[moment as usize].push((first, second, literal));
            self.trail.push(Done::Waits(moment));
            return true;
        }
        if let Err(path) = self.insert(first, second, Some(literal)) {
            let lemma: Vec<Lit> = path.into_iter().chain([literal]).map(|literal| !literal).collect();
            acts.raise_conflict(&lemma, false);
            return false;
        }
        true
    }
}

impl Theory for Order {
    fn final_check(&mut self, acts: &mut TheoryArg) {
        if self.look(acts) {
            self.solution.clone_from(&self.place);
        }
    }

    fn create_level(&mut self) {
        self.levels.push((self.trail.len(), self.seen));
    }

    fn pop_levels(&mut self, count: usize) {
        let keep = self.levels.len() - count;
        if let Some(&(edges, seen)) = self.levels.get(keep) {
            while self.trail.len() > edges {
                match self.trail.pop() {
                    Some(Done::Edge(first, second)) => {
                        self.outgoing[first as usize].pop();
                        self.incoming[second as usize].pop();
                    }
                    Some(Done::Relevant(moment)) => self.relevant[moment as usize] = false,
                    Some(Done::Waits(moment)) => {
                        self.waiting[moment as usize].pop();
                    }
                    None => break,
                }
            }
            self.seen = seen;
        }
        self.levels.truncate(keep);
    }

    fn n_levels(&self) -> usize {
        self.levels.len()
    }

    fn partial_check(&mut self, acts: &mut TheoryArg) {
        self.look(acts);
    }

    fn explain_propagation(&mut self, _: Lit) -> &[Lit] {
        // Nothing is propagated: a literal that would close a cycle is found when it is assigned.
        &[]
    }
}
