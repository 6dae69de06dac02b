//! Telling constraints under their names: order, branches, buffers, ends.

use super::{Constraint, ConstraintSystem, When, branches};
use crate::act::Act;
use crate::execution::Execution;
use crate::tree::TreeEvent;
use selvedge_terms::Term;
use selvedge_terms::decide::{Literal, Solver};
use selvedge_trace::Model;

impl<S: Solver> ConstraintSystem<'_, S> {
    /// The constraint has this name, and may be left out or not.
    pub(super) fn name(&mut self, name: &Constraint) -> Option<Literal> {
        if let Some(selector) = self.names.get(name) {
            return *selector;
        }
        let ours = matches!(name, Constraint::ProgramOrder { .. }) && self.model != Model::Sc;
        let selector = (!ours && (self.may_be_left_out)(name)).then(|| self.solver.fresh());
        self.names.insert(name.clone(), selector);
        selector
    }

    /// One of these holds, wherever the constraint is selected.
    pub(super) fn tell(&mut self, name: &Constraint, literals: &[Literal]) {
        let selector = self.name(name);
        let mut clause = self.chosen(literals);
        clause.extend(selector.map(|selector| !selector));
        self.solver.clause(&clause);
    }

    /// One of these holds.
    pub(super) fn always(&mut self, literals: &[Literal]) {
        let clause = self.chosen(literals);
        self.solver.clause(&clause);
    }

    /// Literals of a clause: of several the solver has to choose one.
    fn chosen(&mut self, literals: &[Literal]) -> Vec<Literal> {
        match literals {
            [only] => vec![*only],
            _ => literals.iter().map(|&literal| self.solver.choice(literal)).collect(),
        }
    }

    /// One moment is earlier than another one.
    pub(super) fn tell_order(&mut self, name: &Constraint, one: When, other: When) {
        match (self.name(name), self.known(one, other)) {
            (None, None) => self.solver.order(one.moment, other.moment),
            (_, Some(true)) => {}
            _ => {
                let earlier = self.earlier(one, other);
                self.tell(name, &[earlier]);
            }
        }
    }

    /// Which of two moments is earlier, where that is known.
    fn known(&self, one: When, other: When) -> Option<bool> {
        let mine = one.thread == other.thread && !one.commit && !other.commit;
        let known = mine && (one.moment == other.moment || self.keeps_order(one.thread));
        known.then_some(one.depth < other.depth)
    }

    pub(super) fn earlier(&mut self, one: When, other: When) -> Literal {
        match self.known(one, other) {
            Some(true) => self.solver.yes(),
            Some(false) => !self.solver.yes(),
            None => self.solver.before(one.moment, other.moment),
        }
    }

    /// An expression of one bit holds.
    pub(super) fn tell_condition(&mut self, name: &Constraint, condition: Term) {
        self.name(name);
        let holds = self.solver.term(&self.trees.terms, condition);
        self.tell(name, &[holds]);
        self.conditions.push((name.clone(), condition));
    }

    /// When others see what an event writes.
    pub(super) fn seen_since(&self, event: TreeEvent) -> When {
        let when = self.moments[&event];
        match self.commits.get(&event) {
            Some(&moment) => When { moment, commit: true, ..when },
            None => when,
        }
    }

    /// Tells everything about the paths.
    pub(super) fn tell_all(&mut self, execution: &Execution) {
        self.make_moments();
        for thread in 0..self.paths.len() {
            self.program_order(thread);
            self.buffers(thread);
        }
        for (branch, condition) in branches(execution, &mut self.trees.terms) {
            self.tell_condition(&Constraint::Branch { branch }, condition);
        }
        self.memory();
        self.synchronise();
        self.lifetimes();
        self.exits();
        for thread in 0..self.paths.len() {
            self.blocked(thread);
        }
    }

    /// Moments in the order that was seen: what no constraint objects to stays as it was.
    fn make_moments(&mut self) {
        let mut leaders: Vec<TreeEvent> = Vec::new();
        for path in &self.paths {
            let all = path.events.iter().map(|&(event, _)| event);
            leaders.extend(all.filter(|event| self.trees.events[event.index()].leader == *event));
        }
        leaders.sort_by_key(|event| (self.trees.events[event.index()].rank, event.index()));
        for leader in leaders {
            let moment = self.solver.moment();
            let (thread, depth) = (self.thread_of(leader), self.trees.events[leader.index()].depth);
            self.moments.insert(leader, When { moment, thread, depth, commit: false });
        }
        for thread in 0..self.paths.len() {
            for (event, _) in self.paths[thread].events.clone() {
                let here = &self.trees.events[event.index()];
                let leader = self.moments[&here.leader];
                self.moments.insert(event, When { depth: here.depth, ..leader });
            }
            self.paths[thread].end = self.solver.moment();
        }
        self.last = self.solver.moment();
        for thread in 0..self.paths.len() {
            let end = self.paths[thread].end;
            self.solver.order(end, self.last);
            let groups = self.groups(thread);
            let from = if self.keeps_order(thread) { groups.len().saturating_sub(1) } else { 0 };
            for group in &groups[from..] {
                self.solver.order(group.moment, end);
            }
        }
    }

    /// The number of an event's thread among the paths.
    pub(super) fn thread_of(&self, event: TreeEvent) -> usize {
        let name = &self.trees.threads[self.trees.events[event.index()].thread].name;
        self.paths.iter().position(|path| path.name == *name).unwrap_or(usize::MAX)
    }

    /// The moments of a thread: of what belongs together the first event's.
    pub(super) fn groups(&self, thread: usize) -> Vec<When> {
        let all = self.paths[thread].events.iter().map(|&(event, _)| event);
        let leaders = all.filter(|event| self.trees.events[event.index()].leader == *event);
        leaders.map(|event| self.moments[&event]).collect()
    }

    fn program_order(&mut self, thread: usize) {
        let name = Constraint::ProgramOrder { thread: self.paths[thread].name.clone() };
        let selector = self.name(&name);
        for pair in self.groups(thread).windows(2) {
            match selector {
                None => self.solver.order(pair[0].moment, pair[1].moment),
                Some(_) => {
                    let earlier = self.earlier(pair[0], pair[1]);
                    self.tell(&name, &[earlier]);
                }
            }
        }
    }

    /// When stores leave the thread's buffer.
    fn buffers(&mut self, thread: usize) {
        if self.model == Model::Sc {
            return;
        }
        let events: Vec<TreeEvent> = self.paths[thread].events.iter().map(|&(event, _)| event).collect();
        for (place, &event) in events.iter().enumerate() {
            let when = self.moments[&event];
            let act = self.act(event).clone();
            let back = || events[..place].iter().rev().copied();
            if act.drains() {
                for earlier in back() {
                    if let Some(&moment) = self.commits.get(&earlier) {
                        self.solver.order(moment, when.moment);
                    }
                    if self.act(earlier).drains() {
                        break;
                    }
                }
                continue;
            }
            let Some(access) = act.buffered() else { continue };
            let leader = self.trees.events[event.index()].leader;
            let mut same = events[place + 1..]
                .iter()
                .take_while(|next| self.trees.events[next.index()].leader == leader);
            if same.any(|&next| self.act(next).drains()) {
                continue;
            }
            let moment = self.solver.moment();
            self.solver.order(when.moment, moment);
            let mut apart = self.model == Model::Tso || act.keeps_stores_apart();
            for earlier in back() {
                let other = self.act(earlier);
                if other.drains() {
                    break;
                }
                apart |= other.keeps_stores_apart();
                let overlaps = other.buffered().is_some_and(|other| other.at.overlaps(access.at));
                if let Some(&before) = self.commits.get(&earlier).filter(|_| apart || overlaps) {
                    self.solver.order(before, moment);
                }
            }
            self.solver.order(moment, self.last);
            self.commits.insert(event, moment);
        }
    }

    /// Nothing happens after the end of the program.
    fn exits(&mut self) {
        for thread in 0..self.paths.len() {
            for (event, number) in self.paths[thread].events.clone() {
                if *self.act(event) != Act::Exit {
                    continue;
                }
                let name = Constraint::Exit { exit: self.step_name(thread, number) };
                let exit = self.moments[&event];
                for other in (0..self.paths.len()).filter(|&other| other != thread) {
                    let groups = self.groups(other);
                    let from = if self.keeps_order(other) { groups.len().saturating_sub(1) } else { 0 };
                    for &group in &groups[from..] {
                        self.tell_order(&name, group, exit);
                    }
                }
            }
        }
    }

    /// Nothing uses what has gone.
    fn lifetimes(&mut self) {
        let extent = |act: &Act| match act {
            Act::Free { .. } => 2,
            Act::Destroy { .. } => 1,
            _ => 0,
        };
        let all: Vec<(usize, TreeEvent, u32)> = (0..self.paths.len())
            .flat_map(|thread| {
                self.paths[thread].events.iter().map(move |&(event, number)| (thread, event, number))
            })
            .collect();
        for &(thread, gone, number) in &all {
            let Some((from, to)) = self.act(gone).needs().filter(|_| extent(self.act(gone)) > 0) else {
                continue;
            };
            let name = Constraint::Lifetime { gone: self.step_name(thread, number) };
            let (far, when) = (extent(self.act(gone)), self.moments[&gone]);
            for &(other, event, _) in all.iter().filter(|&&(other, _, _)| other != thread) {
                let act = self.act(event);
                let overlaps = act.needs().is_some_and(|(start, end)| start < to && from < end);
                let memory = act.access().is_some_and(|access| access.space == crate::act::Space::Memory);
                if overlaps && extent(act) < far && !(memory && far == 1) {
                    debug_assert_ne!(other, thread);
                    self.tell_order(&name, self.moments[&event], when);
                }
            }
        }
    }
}
