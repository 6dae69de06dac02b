//! Symmetry reduction. Threads are symmetric if main has created them one after the other to execute the same function
//! with the same argument, and nothing else tells them apart.
//!
//! Then exchanging them in an execution makes another one in which the same goes wrong. What could tell them apart is
//! looked at in two ways. The function, with all that it calls, must not come to anything that is a thread's own: its
//! stack, memory that it allocates, its handle. And main must not tell them apart: it waits for all of them in one go
//! or for none. That is seen when it happens; then the exploration begins again and takes no threads for symmetric.

use crate::graphs::threads::Threads;
use rustc_hash::FxHashMap;
use selvedge_machine::{Ahead, Trait, traits_of, uses};
use selvedge_program::Program as Code;
use selvedge_program::code::{Callee, Op};
use selvedge_relations::{Event, Graph, Kind};
use std::sync::Arc;

/// Which threads are symmetric.
#[derive(Debug, Default)]
pub(crate) struct Symmetry {
    /// Threads may be taken for symmetric.
    enabled: bool,
    /// Functions that come to nothing that is a thread's own, as far as it was asked.
    impartial: FxHashMap<u32, bool>,
    /// Main has told threads apart that were taken for symmetric.
    told_apart: bool,
}

impl Symmetry {
    /// If the reduction is on, and the program does nothing with a thread's handle but wait for it.
    pub fn new(code: &Code, wanted: bool) -> Self {
        let enabled = wanted && uses(code, |traits| traits.has(Trait::TellsThreadsApart)).is_none();
        Symmetry { enabled, ..Symmetry::default() }
    }

    /// Whether a function with all that it calls comes to nothing that is a thread's own.
    fn is_impartial(&mut self, code: &Code, function: u32) -> bool {
        if let Some(&known) = self.impartial.get(&function) {
            return known;
        }
        let mut reached = vec![function];
        let mut next = 0;
        while let Some(&one) = reached.get(next).filter(|&&one| own_operations_are_impartial(code, one)) {
            for call in &code.functions[one as usize].calls {
                if let Callee::Function(callee) = call.callee
                    && !reached.contains(&callee)
                {
                    reached.push(callee);
                }
            }
            next += 1;
        }
        let impartial = next == reached.len();
        self.impartial.insert(function, impartial);
        impartial
    }
}

/// The same without the program's functions that it calls.
fn own_operations_are_impartial(code: &Code, function: u32) -> bool {
    let body = &code.functions[function as usize];
    body.code.iter().all(|operation| match *operation {
        Op::Call { index } => match body.calls[index as usize].callee {
            Callee::Function(_) => true,
            Callee::External(external) => traits_of(&code.externals[external as usize].name)
                .is_some_and(|traits| traits.has(Trait::Impartial)),
            Callee::Pointer(_) => false,
        },
        Op::Alloca { .. }
        | Op::ThreadLocalAddress { .. }
        | Op::StackSave { .. }
        | Op::StackRestore { .. }
        | Op::Intrinsic { .. }
        | Op::IndirectBranch { .. }
        | Op::LandingPad { .. }
        | Op::Resume { .. }
        | Op::Unsupported { .. } => false,
        _ => true,
    })
}

impl Threads<'_> {
    /// The thread that the one which main creates is symmetric to: the last one of those that it has created since it
    /// did anything else.
    pub(crate) fn same_as(&mut self, graph: &Graph, thread: u32) -> Option<u32> {
        let creates = |kind: Kind| if let Kind::Create { child } = kind { Some(child) } else { None };
        let created: Vec<u32> =
            graph.events(0).iter().rev().map_while(|event| creates(event.label.kind)).collect();
        if !self.symmetry.enabled || created.first() != Some(&thread) {
            return None;
        }
        let start = self.machine.probe().start_ahead()?;
        if !self.symmetry.is_impartial(self.machine.inspect().program(), start.function) {
            return None;
        }
        // The first that main has created is there from the beginning.
        let first = (created.len() == graph.events(0).len() && self.roots == 2).then_some(1);
        let mut others = created[1..].iter().copied().chain(first);
        others.find(|&other| {
            self.index(other).and_then(|index| self.machine.inspect_graph().start_of(index)) == Some(start)
        })
    }

    /// Notes if threads that are taken for symmetric are told apart by what a thread does next: by waiting for some of
    /// them and not for the others, or by how one of them has ended.
    pub(crate) fn compare_joins(&mut self, graph: &Graph, thread: u32, ahead: &Ahead) {
        if !self.symmetry.enabled {
            return;
        }
        let waits_for = match ahead {
            Ahead::Event { label, child: Some(child), .. } if matches!(label.kind, Kind::Join { .. }) => {
                Some(self.slot(child))
            }
            _ => None,
        };
        let first_of = |mut thread: u32| {
            while let Some(other) = graph.followed(thread) {
                thread = other;
            }
            thread
        };
        let roots = self.roots;
        let exists = move |thread: u32| thread < roots || graph.len(thread) > 0;
        let all_like = |thread: u32| {
            let first = first_of(thread);
            (0..graph.threads()).filter(move |&other| exists(other) && first_of(other) == first)
        };
        let has_others = |thread: u32| all_like(thread).nth(1).is_some();
        let joined: Vec<u32> = match (thread, graph.last(0).map(|event| event.label.kind)) {
            (0, Some(Kind::Join { .. })) => graph.events(0).iter().filter_map(child_joined).collect(),
            _ => Vec::new(),
        };
        let is_left = |thread: u32| !joined.contains(&thread);
        let mut told_apart = false;
        if joined.iter().any(|&child| all_like(child).any(is_left)) {
            told_apart |= waits_for.is_none() || !self.machine.probe().joins_next();
        }
        if waits_for.is_some_and(has_others) {
            told_apart |= thread != 0 || !self.machine.probe().joins_without_result();
        }
        self.symmetry.told_apart |= told_apart;
    }

    /// Whether threads were told apart that had been taken for symmetric.
    pub fn has_told_apart(&self) -> bool {
        self.symmetry.told_apart
    }
}

/// Which thread an event waits for.
fn child_joined(event: &Arc<Event>) -> Option<u32> {
    if let Kind::Join { child } = event.label.kind { Some(child) } else { None }
}
