//! Constraint systems over random paths, beside an enumeration of all orders.
//!
//! The paths are small: reads and writes of two bytes, updates, fences, locks, one queue, starts and joins of threads,
//! branches on what was read. Each order of all steps (and of the commits of stores, under models with buffers) is
//! performed; a constraint that is left out is not looked at. What this says of a selection of constraints is compared
//! with the solver: whether it can hold, that solutions are solutions, that cores cannot hold, and that minimal cores
//! can as soon as one of their constraints is left out.

use crate::numbers::Numbers;
use selvedge_paths::{
    Answer, BranchKind, Cause, Constraint, ConstraintSystem, Execution, Happening, Location, Performed,
    Selection, Solution, Step, StepName, ThreadEnd, ThreadPath,
};
use selvedge_terms::decide::Solver;
use selvedge_terms::{Symbol, SymbolId, Term, Terms};
use selvedge_trace::{MemoryOrder, Model, ThreadName};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Where memory is.
const AT: u64 = 0x1000;
const LOCK: u64 = 0x2000;
const QUEUE: u64 = 0x3000;

/// What was compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Compared {
    pub possible: u64,
    pub impossible: u64,
    /// Constraints in all minimal cores, and those that were left out of cores to make them minimal.
    pub needed: u64,
    pub dropped: u64,
}

/// Steps and commits of one case at most: all of their orders are looked at.
const MOST: usize = 8;

/// Paths made at random.
pub fn paths(numbers: &mut Numbers, model: Model) -> Execution {
    loop {
        let execution = any_paths(numbers, model);
        let case = Case { execution: &execution, model, applies: &|_| true, orders: &[] };
        if case.items().len() <= MOST {
            return execution;
        }
    }
}

fn any_paths(numbers: &mut Numbers, model: Model) -> Execution {
    let mut terms = Terms::new();
    let mut threads = Vec::new();
    let children = 1 + numbers.below(2);
    let names: Vec<ThreadName> =
        (1..=children as u32).map(|number| ThreadName::main().child(number)).collect();
    let mut main: Vec<Step> = names.iter().map(|name| Step::Fork { thread: name.clone() }).collect();
    let waits = numbers.once_in(4);
    let mut budget = if model == Model::Sc { 5 } else { 4 };
    for (number, name) in names.iter().enumerate() {
        let mut steps = Vec::new();
        let mut reads = 0;
        let count = (1 + numbers.below(3)).min(budget);
        budget -= count;
        if waits && number == 0 {
            steps.extend([Step::Wait { queue: QUEUE, lock: None }, wake()]);
        }
        for _ in 0..count {
            step(&mut terms, numbers, name, (&mut steps, &mut reads));
        }
        if waits && number > 0 {
            steps.push(Step::Notify { queue: QUEUE, all: numbers.once_in(2), woken: None });
        }
        threads.push((name.clone(), steps));
    }
    let mut reads = 0;
    for _ in 0..budget.min(numbers.below(3)) {
        step(&mut terms, numbers, &ThreadName::main(), (&mut main, &mut reads));
    }
    if waits {
        main.push(Step::Notify { queue: QUEUE, all: numbers.once_in(2), woken: None });
    }
    if numbers.once_in(3) {
        main.push(Step::Join { thread: names[0].clone() });
    }
    threads.insert(0, (ThreadName::main(), main));
    let performed = |step| Performed { step, continues: false, position: 0 };
    let threads = threads.into_iter().map(|(thread, steps)| ThreadPath {
        thread,
        steps: steps.into_iter().map(performed).collect(),
        end: ThreadEnd::Finished,
    });
    let initial = (AT..AT + 2).map(|at| (at, 0)).collect();
    Execution { threads: threads.collect(), terms, initial, ..Execution::default() }
}

fn wake() -> Step {
    Step::Wake { queue: QUEUE, lock: None, cause: Cause::Notified, timed: false }
}

fn step(
    terms: &mut Terms,
    numbers: &mut Numbers,
    name: &ThreadName,
    (steps, reads): (&mut Vec<Step>, &mut u32),
) {
    let wide = numbers.once_in(5);
    let at = if wide { Location::new(AT, 2) } else { Location::new(AT + numbers.below(2) as u64, 1) };
    let bits = 8 * at.size;
    let order = numbers.one_of(&[MemoryOrder::Relaxed, MemoryOrder::Relaxed, MemoryOrder::SeqCst]);
    let mut symbol = |terms: &mut Terms| {
        *reads += 1;
        terms.symbol(&Symbol::Read { thread: name.clone(), index: *reads - 1 }, bits)
    };
    match numbers.below(7) {
        0..=2 => {
            let value = terms.constant(bits, 1 + numbers.below(2) as u128);
            steps.push(Step::Write { at, value, order });
        }
        3 | 4 => {
            let symbol = symbol(terms);
            steps.push(Step::Read { at, symbol, order });
            let known = terms.constant(bits, numbers.below(3) as u128);
            let mut condition = terms.equal(symbol, known);
            if numbers.once_in(3) {
                condition = terms.not(condition);
            }
            steps.push(Step::Branch { condition, outcome: 1, kind: BranchKind::Ordinary });
        }
        5 => {
            let symbol = symbol(terms);
            let one = terms.constant(bits, 1);
            let value = terms.add(symbol, one);
            steps.push(Step::Update { at, symbol, value, order: MemoryOrder::SeqCst });
        }
        _ => {
            let value = terms.constant(bits, 1);
            let inside = Step::Write { at, value, order };
            steps.extend([Step::Lock { lock: LOCK }, inside, Step::Unlock { lock: LOCK }]);
        }
    }
}

/// Paths, and which of their constraints apply.
struct Case<'a> {
    execution: &'a Execution,
    model: Model,
    applies: &'a dyn Fn(&Constraint) -> bool,
    orders: &'a [(StepName, StepName)],
}

/// One step or commit of an order: the thread's number among the paths, the step, whether it is the commit.
type Item = (usize, usize, bool);

impl Case<'_> {
    fn step(&self, (thread, step, _): Item) -> &Step {
        &self.execution.threads[thread].steps[step].step
    }

    fn name(&self, (thread, step, _): Item) -> StepName {
        StepName::new(&self.execution.threads[thread].thread, step)
    }

    fn buffered(&self, item: Item) -> bool {
        self.model != Model::Sc
            && matches!(self.step(item), Step::Write { order, .. } if *order != MemoryOrder::SeqCst)
    }

    /// Everything that happens, in the order of the paths.
    fn items(&self) -> Vec<Item> {
        let mut items = Vec::new();
        for (thread, path) in self.execution.threads.iter().enumerate() {
            for (step, performed) in path.steps.iter().enumerate() {
                if matches!(performed.step, Step::Branch { .. }) {
                    continue;
                }
                items.push((thread, step, false));
                if self.buffered((thread, step, false)) {
                    items.push((thread, step, true));
                }
            }
        }
        items
    }

    /// Whether one item must come before another one, whatever else happens.
    fn before(&self, one: Item, other: Item) -> bool {
        let paths = &self.execution.threads;
        let (a, b) = (&paths[one.0].thread, &paths[other.0].thread);
        if one.0 == other.0 {
            let keeps =
                (self.applies)(&Constraint::ProgramOrder { thread: a.clone() }) || self.model != Model::Sc;
            return match (one.2, other.2) {
                (false, false) => keeps && one.1 < other.1,
                (false, true) => one.1 == other.1,
                (true, true) => {
                    let overlap = |one: &Step, other: &Step| match (one, other) {
                        (Step::Write { at, .. }, Step::Write { at: other, .. }) => at.overlaps(*other),
                        _ => false,
                    };
                    one.1 < other.1 && (self.model == Model::Tso || overlap(self.step(one), self.step(other)))
                }
                // Whatever is neither a plain access nor such a fence waits for the buffer.
                (true, false) => {
                    let plain = matches!(self.step(other), Step::Read { .. }) || self.buffered(other);
                    one.1 < other.1 && !plain
                }
            };
        }
        if one.2 || other.2 {
            return false;
        }
        let fork = matches!(self.step(one), Step::Fork { thread } if thread == b)
            && (self.applies)(&Constraint::Fork { thread: b.clone() });
        let join = matches!(self.step(other), Step::Join { thread } if thread == a)
            && (self.applies)(&Constraint::Join { join: self.name(other) });
        fork || join
    }

    /// Whether some order and some values do.
    fn possible(&self) -> bool {
        let items = self.items();
        let mut order = Vec::new();
        self.orders_of(&items, &mut order)
    }

    fn orders_of(&self, items: &[Item], order: &mut Vec<Item>) -> bool {
        if order.len() == items.len() {
            return self.holds(order, None);
        }
        for &item in items.iter().filter(|item| !order.contains(item)).collect::<Vec<_>>() {
            let ready = items
                .iter()
                .all(|&other| order.contains(&other) || other == item || !self.before(other, item));
            if ready {
                order.push(item);
                if self.orders_of(items, order) {
                    return true;
                }
                order.pop();
            }
        }
        false
    }

    /// Whether an order of everything does, with given values or any.
    fn holds(&self, order: &[Item], values: Option<&BTreeMap<Symbol, u128>>) -> bool {
        let place = |item: Item| order.iter().position(|&other| other == item).unwrap_or(usize::MAX);
        if order
            .iter()
            .any(|&one| order.iter().any(|&other| self.before(one, other) && place(one) > place(other)))
        {
            return false;
        }
        let find = |name: &StepName| order.iter().position(|&item| !item.2 && self.name(item) == *name);
        let ordered = self.orders.iter().all(|(first, second)| {
            let name = Constraint::Order { first: first.clone(), second: second.clone() };
            !(self.applies)(&name) || find(first) < find(second)
        });
        ordered && self.locks(order) && self.waits(order) && self.memory(order, values)
    }

    fn locks(&self, order: &[Item]) -> bool {
        if !(self.applies)(&Constraint::Locks { lock: LOCK }) {
            return true;
        }
        // From each lock to the next unlock on the path, whatever the order is.
        let place = |item: Item| order.iter().position(|&other| other == item).unwrap_or(usize::MAX);
        let mut sections = Vec::new();
        for &item in order.iter().filter(|&&item| !item.2 && matches!(self.step(item), Step::Lock { .. })) {
            let steps = &self.execution.threads[item.0].steps;
            let unlock = (item.1..steps.len()).find(|&step| matches!(steps[step].step, Step::Unlock { .. }));
            sections.push((place(item), unlock.map_or(usize::MAX, |step| place((item.0, step, false)))));
        }
        let apart = |one: &(usize, usize), other: &(usize, usize)| one.1 < other.0 || other.1 < one.0;
        sections
            .iter()
            .enumerate()
            .all(|(number, one)| sections[number + 1..].iter().all(|other| apart(one, other)))
    }

    /// One thread waits at most, once.
    fn waits(&self, order: &[Item]) -> bool {
        if !(self.applies)(&Constraint::Waits { queue: QUEUE }) {
            return true;
        }
        let place = |matches: &dyn Fn(&Step) -> bool| order.iter().position(|&item| matches(self.step(item)));
        let Some(wait) = place(&|step| matches!(step, Step::Wait { .. })) else { return true };
        let wake = place(&|step| matches!(step, Step::Wake { .. })).unwrap_or(usize::MAX);
        let waiter = order[wait].0;
        let notified =
            |place: usize| matches!(self.step(order[place]), Step::Notify { .. }) && order[place].0 != waiter;
        // The first notification after the thread has begun to wait wakes it.
        (wait..order.len()).find(|&place| notified(place)).is_some_and(|notify| notify < wake)
    }

    /// Performs the order: what reads see that are to see something, and any value for the others.
    fn memory(&self, order: &[Item], values: Option<&BTreeMap<Symbol, u128>>) -> bool {
        let terms = &self.execution.terms;
        let free: Vec<Symbol> = order
            .iter()
            .filter(|&&item| !item.2 && !(self.applies)(&Constraint::ReadsFrom { read: self.name(item) }))
            .filter_map(|&item| self.symbol(item))
            .map(|symbol| {
                terms.symbols_below([symbol]).into_iter().map(|id| terms.symbol_of(id).clone()).next()
            })
            .collect::<Option<Vec<_>>>()
            .unwrap_or_default();
        match values {
            Some(values) => self.perform(order, &mut values.clone(), true),
            None => self.guess(order, &free, &mut BTreeMap::new()),
        }
    }

    fn symbol(&self, item: Item) -> Option<Term> {
        match *self.step(item) {
            Step::Read { symbol, .. } | Step::Update { symbol, .. } => Some(symbol),
            _ => None,
        }
    }

    fn guess(&self, order: &[Item], free: &[Symbol], values: &mut BTreeMap<Symbol, u128>) -> bool {
        let Some((symbol, rest)) = free.split_first() else {
            return self.perform(order, &mut values.clone(), false);
        };
        // Nothing but these, one more and one less is written or compared with; in both bytes.
        let near = [0, 1, 2, 3, 4, 5, 254, 255];
        let wide = [0x100, 0x101, 0x102, 0x103, 0x200, 0x201, 0x202, 0x203, 0xffff, 0xfffe];
        near.into_iter().chain(wide).any(|value| {
            values.insert(symbol.clone(), value);
            self.guess(order, rest, values)
        })
    }

    /// Whether what is read and decided is as it should be. `given`: values of all reads are.
    fn perform(&self, order: &[Item], values: &mut BTreeMap<Symbol, u128>, given: bool) -> bool {
        let terms = &self.execution.terms;
        let mut memory: BTreeMap<u64, u8> = self.execution.initial.clone();
        let mut buffers: Vec<VecDeque<(usize, u64, u8)>> =
            vec![VecDeque::new(); self.execution.threads.len()];
        for &item in order {
            let (thread, step, commits) = item;
            if commits {
                let left: Vec<(u64, u8)> = buffers[thread]
                    .iter()
                    .filter(|entry| entry.0 == step)
                    .map(|&(_, at, byte)| (at, byte))
                    .collect();
                buffers[thread].retain(|entry| entry.0 != step);
                memory.extend(left);
                continue;
            }
            let (at, read, written) = match *self.step(item) {
                Step::Read { at, symbol, .. } => (at, Some(symbol), None),
                Step::Write { at, value, .. } => (at, None, Some(value)),
                Step::Update { at, symbol, value, .. } => (at, Some(symbol), Some(value)),
                _ => continue,
            };
            if let Some(symbol) = read {
                let id = terms.symbols_below([symbol])[0];
                let name = terms.symbol_of(id).clone();
                let bytes = (at.address..at.end()).rev().map(|at| {
                    let own = buffers[thread].iter().rev().find(|entry| entry.1 == at).map(|entry| entry.2);
                    own.unwrap_or(memory[&at])
                });
                let sees = bytes.fold(0, |value, byte| value << 8 | u128::from(byte));
                let applies = (self.applies)(&Constraint::ReadsFrom { read: self.name(item) });
                match values.get(&name) {
                    Some(&value) if applies && value != sees => return false,
                    Some(_) => {}
                    None if applies || given => _ = values.insert(name, sees),
                    None => return false,
                }
            }
            if let Some(value) = written {
                let value = terms.evaluate(value, |symbol| value_of(terms, values, symbol));
                let bytes = (at.address..at.end()).enumerate();
                for (index, at) in bytes {
                    let byte = (value >> (8 * index)) as u8;
                    match self.buffered(item) {
                        true => buffers[thread].push_back((step, at, byte)),
                        false => _ = memory.insert(at, byte),
                    }
                }
            }
        }
        for (thread, path) in self.execution.threads.iter().enumerate() {
            for (step, performed) in path.steps.iter().enumerate() {
                let Step::Branch { condition, .. } = performed.step else { continue };
                let applies =
                    (self.applies)(&Constraint::Branch { branch: self.name((thread, step, false)) });
                if applies && terms.evaluate(condition, |symbol| value_of(terms, values, symbol)) == 0 {
                    return false;
                }
            }
        }
        true
    }
}

fn value_of(terms: &Terms, values: &BTreeMap<Symbol, u128>, symbol: SymbolId) -> u128 {
    values.get(terms.symbol_of(symbol)).copied().unwrap_or(0)
}

/// Two steps of different threads.
fn pair(numbers: &mut Numbers, execution: &Execution) -> Option<(StepName, StepName)> {
    let mut step = || {
        let thread = numbers.below(execution.threads.len());
        let path = &execution.threads[thread];
        let all: Vec<usize> = (0..path.steps.len())
            .filter(|&step| !matches!(path.steps[step].step, Step::Branch { .. }))
            .collect();
        let step = *all.get(numbers.below(all.len().max(1)))?;
        Some(StepName::new(&path.thread, step))
    };
    let (one, other) = (step()?, step()?);
    (one.thread != other.thread).then_some((one, other))
}

/// Compares one case.
pub fn compare<S: Solver>(seed: u64, model: Model, solver: S, all: &mut Compared) -> Result<(), String> {
    let mut numbers = Numbers::new(seed);
    let execution = paths(&mut numbers, model);
    let orders: Vec<_> = (0..numbers.below(3)).filter_map(|_| pair(&mut numbers, &execution)).collect();
    let salt = numbers.number();
    // What a thread writes may depend on what it has read, so it keeps its order then.
    let computes = |thread: &ThreadName| {
        let path = execution.threads.iter().find(|path| path.thread == *thread);
        path.is_some_and(|path| {
            path.steps.iter().any(|performed| matches!(performed.step, Step::Update { .. }))
        })
    };
    let optional = |name: &Constraint| match name {
        Constraint::ProgramOrder { thread } if model != Model::Sc || computes(thread) => false,
        name => !Numbers::new(salt ^ hash(name)).once_in(4),
    };
    let failed = |what: &str, system: &ConstraintSystem<'_, S>| {
        let names: Vec<String> =
            system.constraints().map(|(name, optional)| format!("{name} {optional}")).collect();
        Err(format!("seed {seed} {model:?}: {what}\n{:#?}\n{orders:?}\n{names:?}", execution.threads))
    };
    let made = ConstraintSystem::new(solver, model, &execution, &optional);
    let mut system = made.map_err(|error| error.to_string())?;
    for (first, second) in &orders {
        system.demand_order(first, second);
    }
    let names: Vec<(Constraint, bool)> =
        system.constraints().map(|(name, optional)| (name.clone(), optional)).collect();
    let case = |selected: &BTreeSet<Constraint>| {
        let applies = |name: &Constraint| !optional(name) || selected.contains(name);
        Case { execution: &execution, model, applies: &applies, orders: &orders }.possible()
    };
    let free = |selected: &BTreeSet<Constraint>| {
        let reads = names.iter().filter(|(name, optional)| {
            matches!(name, Constraint::ReadsFrom { .. }) && *optional && !selected.contains(name)
        });
        reads.count()
    };
    let everything: BTreeSet<Constraint> =
        names.iter().filter(|(_, optional)| *optional).map(|(name, _)| name.clone()).collect();
    for _ in 0..4 {
        let selected: BTreeSet<Constraint> =
            everything.iter().filter(|_| !numbers.once_in(6)).cloned().collect();
        if free(&selected) > 1 {
            continue;
        }
        let answer = system.solve(&Selection::Only(&selected));
        match (answer, case(&selected)) {
            (Answer::Unknown, _) => return failed("no answer", &system),
            (Answer::Possible(solution), true) => {
                all.possible += 1;
                let applies = |name: &Constraint| !optional(name) || selected.contains(name);
                let case = Case { execution: &execution, model, applies: &applies, orders: &orders };
                if !case.holds(&items_of(&execution, &solution), Some(&solution.values)) {
                    return failed(&format!("{solution:?} is no solution"), &system);
                }
            }
            (Answer::Impossible(core), false) => {
                all.impossible += 1;
                let Some(minimal) = system.minimise(&core) else { return failed("no minimal core", &system) };
                let minimal: BTreeSet<Constraint> = minimal.into_iter().collect();
                all.needed += minimal.len() as u64;
                all.dropped += (core.len() - minimal.len()) as u64;
                if free(&minimal) <= 1 && case(&minimal) {
                    return failed(&format!("the core {minimal:?} can hold"), &system);
                }
                for name in &minimal {
                    let mut fewer = minimal.clone();
                    fewer.remove(name);
                    if free(&fewer) <= 1 && !case(&fewer) {
                        return failed(&format!("{name} is not needed in {minimal:?}"), &system);
                    }
                }
            }
            (answer, possible) => {
                return failed(&format!("{answer:?}, enumerated {possible}, of {selected:?}"), &system);
            }
        }
    }
    Ok(())
}

fn items_of(execution: &Execution, solution: &Solution) -> Vec<Item> {
    let item = |step: &StepName, commits: bool| {
        let thread = execution.threads.iter().position(|path| path.thread == step.thread).unwrap_or(0);
        (thread, step.step as usize, commits)
    };
    let all = solution.order.iter().map(|happening| match happening {
        Happening::Step(step) => item(step, false),
        Happening::Commit(step) => item(step, true),
    });
    all.collect()
}

/// A number that is the same for the same name.
fn hash(name: &Constraint) -> u64 {
    name.to_string().bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
