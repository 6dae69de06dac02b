//! What depends on what in a program: on a value by data, addresses, control, calls and threads.
//!
//! The graph's nodes are operations. It is not built as a whole: from an operation one goes forward along all that its
//! result can influence, and what was found is kept. Everything is over-approximated: an operation that is not named is
//! not influenced, one that is named may not be. Nothing is said of what other threads read from memory, or find when they
//! join a thread.

mod calls;
mod control;

use crate::code::{AtomicKind, Callee, Function, FunctionId, Op, Slot, Target};
use crate::{Program, Use};
use calls::Calls;
use control::Control;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// An operation: the function, and where in its code.
pub type Place = (FunctionId, Target);

/// The dependences of a program; to be asked by many threads at once.
#[derive(Clone, Copy, Debug)]
pub struct Dependence<'p> {
    program: &'p Program,
    calls: &'p Calls,
    known: &'p Mutex<Known>,
}

/// What was found out about a program, kept with it: it is the same for all callers.
#[derive(Debug, Default)]
pub(crate) struct Kept(OnceLock<(Calls, Mutex<Known>)>);

impl Clone for Kept {
    /// A program that is copied may become another one.
    fn clone(&self) -> Self {
        Kept::default()
    }
}

impl Program {
    /// What depends on what.
    pub fn dependence(&self) -> Dependence<'_> {
        let (calls, known) = self.dependence.0.get_or_init(|| (Calls::new(self), Mutex::default()));
        Dependence { program: self, calls, known }
    }
}

#[derive(Debug, Default)]
struct Known {
    control: FxHashMap<FunctionId, Arc<Control>>,
    globals: FxHashMap<FunctionId, Arc<FxHashSet<Target>>>,
    slices: FxHashMap<Place, Arc<FxHashSet<Place>>>,
}

impl Dependence<'_> {
    /// Whether the result of one operation can influence whether, where or with which values another one happens.
    pub fn influences(&self, one: Place, other: Place) -> bool {
        self.influenced(one).contains(&other)
    }

    /// All operations that the result of one can influence.
    pub fn influenced(&self, by: Place) -> Arc<FxHashSet<Place>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slice) = known.slices.get(&by) {
            return slice.clone();
        }
        let mut slice = Slice { graph: self, known: &mut known, found: Found::default() };
        slice.result(by);
        while let Some(item) = slice.found.work.pop() {
            slice.follow(item);
        }
        let places = Arc::new(slice.found.places);
        known.slices.insert(by, places.clone());
        places
    }
}

/// What is still to be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Item {
    /// The operation happens or not, or with other values.
    Operation(Place),
    /// What is in these slots when the function begins.
    Parameter(FunctionId, Slot),
    /// All operations of the function happen or not.
    Whole(FunctionId),
    /// What is in memory that is not shared for certain.
    Memory,
}

#[derive(Debug, Default)]
struct Found {
    places: FxHashSet<Place>,
    seen: FxHashSet<Item>,
    work: Vec<Item>,
    /// Branches whose outcome is influenced.
    branches: FxHashSet<Place>,
    /// Operations whose results are.
    results: FxHashSet<Place>,
    /// Functions whose results are.
    returning: FxHashSet<FunctionId>,
}

struct Slice<'a> {
    graph: &'a Dependence<'a>,
    known: &'a mut Known,
    found: Found,
}

impl<'a> Slice<'a> {
    fn function(&self, id: FunctionId) -> &'a Function {
        &self.graph.program.functions[id as usize]
    }

    fn add(&mut self, item: Item) {
        if self.found.seen.insert(item) {
            self.found.work.push(item);
        }
    }

    fn control(&mut self, id: FunctionId) -> Arc<Control> {
        let graph = self.graph;
        let make = || {
            let may_end = |at| graph.calls.may_not_return(graph.program, id, at);
            Arc::new(Control::new(&graph.program.functions[id as usize], &may_end))
        };
        self.known.control.entry(id).or_insert_with(make).clone()
    }

    /// Operations of a function that access a global for certain: what is stored there is an event in every execution.
    fn globals(&mut self, id: FunctionId) -> Arc<FxHashSet<Target>> {
        let function = self.function(id);
        self.known.globals.entry(id).or_insert_with(|| Arc::new(global_accesses(function))).clone()
    }

    fn follow(&mut self, item: Item) {
        match item {
            Item::Parameter(id, slot) => self.readers(id, &[0], slot, 1),
            Item::Whole(id) => {
                for at in 0..self.function(id).code.len() as u32 {
                    self.add(Item::Operation((id, at)));
                }
            }
            Item::Memory => self.memory(),
            Item::Operation(place) => {
                self.found.places.insert(place);
                self.operation(place);
            }
        }
    }

    /// An operation is influenced: what follows from that.
    fn operation(&mut self, place @ (id, at): Place) {
        let function = self.function(id);
        let op = &function.code[at as usize];
        match *op {
            Op::BranchIf { .. }
            | Op::BranchUnless { .. }
            | Op::BranchCompare { .. }
            | Op::BranchCompareImm { .. }
            | Op::Switch { .. }
            | Op::IndirectBranch { .. } => self.branch(place),
            Op::Store { .. } | Op::StorePtr { .. } | Op::StoreMany { .. } => self.store(place),
            Op::Atomic { index } => {
                let atomic = &function.atomics[index as usize];
                if !matches!(atomic.kind, AtomicKind::Load { .. } | AtomicKind::Fence) {
                    self.store(place);
                }
            }
            Op::MemCopy { .. } | Op::MemSet { .. } => self.add(Item::Memory),
            Op::Return { .. } => self.returns(id),
            Op::Call { .. } => self.call(place),
            _ => {}
        }
        self.result(place);
    }

    /// A call happens or not, or with other arguments; the same is said of both.
    fn call(&mut self, place @ (id, at): Place) {
        let function = self.function(id);
        let Op::Call { index } = function.code[at as usize] else { return };
        let call = &function.calls[index as usize];
        match call.callee {
            Callee::Function(callee) => {
                if self.graph.calls.may_end[callee as usize] {
                    self.branch(place);
                }
                self.add(Item::Whole(callee));
            }
            Callee::External(external) => {
                self.branch(place);
                self.started();
                if calls::writes(&self.graph.program.externals[external as usize].name) {
                    self.add(Item::Memory);
                }
            }
            Callee::Pointer(_) => {
                self.branch(place);
                self.started();
                for callee in self.graph.calls.taken.clone() {
                    self.add(Item::Whole(callee));
                }
            }
        }
    }

    /// A function whose address is taken may begin with other arguments: as a thread, or called back.
    fn started(&mut self) {
        for callee in self.graph.calls.taken.clone() {
            for slot in 0..self.function(callee).parameter_slots {
                self.add(Item::Parameter(callee, slot));
            }
        }
    }

    /// Where control goes is influenced.
    fn branch(&mut self, place @ (id, at): Place) {
        if !self.found.branches.insert(place) {
            return;
        }
        let control = self.control(id);
        let mut dependent = Vec::new();
        control.dependent(at, &mut |other| dependent.push(other));
        for other in dependent {
            self.add(Item::Operation((id, other)));
        }
        let graph = self.graph;
        let ends_badly = |other| graph.calls.may_not_return(graph.program, id, other);
        if control.decides(at, &ends_badly) {
            // What comes after the function in its callers may not come.
            for site in graph.calls.sites[id as usize].clone() {
                self.branch(site);
            }
            if graph.calls.taken.binary_search(&id).is_ok() {
                for &site in &graph.calls.open_sites {
                    self.branch(site);
                }
            }
        }
    }

    /// What a function returns is influenced.
    fn returns(&mut self, id: FunctionId) {
        if !self.found.returning.insert(id) {
            return;
        }
        for site in self.graph.calls.sites[id as usize].clone() {
            self.result(site);
        }
        if self.graph.calls.taken.binary_search(&id).is_ok() {
            for &site in &self.graph.calls.open_sites {
                self.result(site);
            }
        }
    }

    fn store(&mut self, (id, at): Place) {
        if !self.globals(id).contains(&at) {
            self.add(Item::Memory);
        }
    }

    /// Memory that may be a thread's own is influenced: all that may be read from it.
    fn memory(&mut self) {
        for id in 0..self.graph.program.functions.len() as u32 {
            let function = self.function(id);
            let globals = self.globals(id);
            for (at, op) in (0_u32..).zip(&function.code) {
                let loads = matches!(
                    op,
                    Op::Load { .. }
                        | Op::LoadPtr { .. }
                        | Op::LoadMany { .. }
                        | Op::Atomic { .. }
                        | Op::MemCopy { .. }
                );
                if loads && !globals.contains(&at) {
                    self.add(Item::Operation((id, at)));
                }
            }
        }
    }

    /// What an operation writes into slots is influenced.
    fn result(&mut self, place @ (id, at): Place) {
        if !self.found.results.insert(place) {
            return;
        }
        let function = self.function(id);
        let op = &function.code[at as usize];
        let mut written = Vec::new();
        op.operands(function, &mut |kind, slot, count| {
            if kind == Use::Write {
                written.push((slot, count));
            }
        });
        let mut next = Vec::new();
        op.successors(function, at, &mut |target| next.push(target));
        for (slot, count) in written {
            self.readers(id, &next, slot, count);
        }
    }

    /// Finds the operations that read slots, from these operations on until the slots are written again.
    fn readers(&mut self, id: FunctionId, from: &[Target], slot: Slot, count: u32) {
        let function = self.function(id);
        let own = slot..slot + count;
        let mut seen: FxHashSet<Target> = FxHashSet::default();
        let mut work = from.to_vec();
        while let Some(at) = work.pop() {
            if at as usize >= function.code.len() || !seen.insert(at) {
                continue;
            }
            let op = &function.code[at as usize];
            let (mut reads, mut covered) = (false, 0);
            op.operands(function, &mut |kind, first, count| {
                let overlap = first.max(own.start)..(first + count).min(own.end);
                match kind {
                    _ if overlap.is_empty() => {}
                    Use::Read => reads = true,
                    Use::Write => covered += overlap.len() as u32,
                }
            });
            if reads {
                self.reads(id, at, &own);
            }
            if covered < count {
                op.successors(function, at, &mut |next| work.push(next));
            }
        }
    }

    /// An operation reads slots that are influenced.
    fn reads(&mut self, id: FunctionId, at: Target, slots: &std::ops::Range<Slot>) {
        let function = self.function(id);
        let Op::Call { index } = function.code[at as usize] else {
            return self.add(Item::Operation((id, at)));
        };
        let call = &function.calls[index as usize];
        let Callee::Function(callee) = call.callee else {
            return self.add(Item::Operation((id, at)));
        };
        // Its arguments are others, but it happens all the same.
        let parameters = self.function(callee).parameter_slots;
        for (parameter, slot) in (0_u32..).zip(&call.slots) {
            if slots.contains(slot) && parameter < parameters {
                self.add(Item::Parameter(callee, parameter));
            }
        }
        if call.args.iter().skip(call.fixed as usize).any(|argument| slots.contains(&argument.slot)) {
            self.add(Item::Memory);
        }
    }
}

/// Operations that access memory through an address of a global that was made in the same block.
fn global_accesses(function: &Function) -> FxHashSet<Target> {
    let mut starts = vec![false; function.code.len() + 1];
    for (at, op) in function.code.iter().enumerate() {
        op.targets(function, &mut |target| starts[target as usize] = true);
        starts[at + 1] |= op.is_terminator();
    }
    let mut accesses = FxHashSet::default();
    let mut global: FxHashSet<Slot> = FxHashSet::default();
    for (at, op) in (0_u32..).zip(&function.code) {
        if starts[at as usize] {
            global.clear();
        }
        let is_global = match *op {
            Op::GlobalAddress { .. } => true,
            Op::PtrAddImm { base, .. } | Op::PtrAdd { base, .. } | Op::PtrIndex { base, .. } => {
                global.contains(&base)
            }
            Op::Move { src, .. } | Op::MoveMany { src, .. } => global.contains(&src),
            _ => false,
        };
        let ptr = match *op {
            Op::Load { ptr, .. }
            | Op::LoadPtr { ptr, .. }
            | Op::Store { ptr, .. }
            | Op::StorePtr { ptr, .. } => Some(ptr),
            Op::LoadMany { index } | Op::StoreMany { index } => Some(function.accesses[index as usize].ptr),
            Op::Atomic { index } => Some(function.atomics[index as usize].ptr),
            _ => None,
        };
        if ptr.is_some_and(|ptr| global.contains(&ptr)) {
            accesses.insert(at);
        }
        op.operands(function, &mut |kind, slot, count| {
            if kind == Use::Write {
                for slot in slot..slot + count {
                    if is_global {
                        global.insert(slot);
                    } else {
                        global.remove(&slot);
                    }
                }
            }
        });
    }
    accesses
}
