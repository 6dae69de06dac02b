//! What models of library functions are told: mostly that expressions are what they are.

use super::operation::{After, Operation};
use crate::machine::Machine;
use crate::memory::Pointer;
use crate::traits::{Trait, Traits};
use selvedge_paths::BranchKind;
use selvedge_program::code::{Call, Leaf};
use selvedge_terms::{Source, Symbol, Term};

impl Machine {
    /// A model reads bytes from outside, from this offset of their source on.
    pub(crate) fn concolic_incoming(&mut self, source: &Source, start: u64, bytes: &[u8]) {
        let Some(concolic) = &mut self.concolic else { return };
        let wanted = match source {
            Source::StandardInput => concolic.wanted.stdin,
            Source::File(_) => concolic.wanted.files,
            Source::Argument(_) | Source::Environment(_) => false,
        };
        if !wanted {
            return;
        }
        concolic.active = true;
        for (offset, &byte) in (start..).zip(bytes) {
            let symbol = Symbol::Byte { source: source.clone(), offset: offset as u32 };
            let term = concolic.terms.symbol(&symbol, 8);
            concolic.incoming.push((term, byte));
        }
    }

    /// What a function for output is told goes where the program can read it again.
    pub(crate) fn told_to_itself(&mut self) {
        let Some(concolic) = &self.concolic else { return };
        let told = concolic.lazy.last().is_some_and(|lazy| lazy.memory || !lazy.on.is_empty());
        if concolic.quiet && told {
            self.beyond(
                "files, pipes and streams in memory to which values are written that depend on inputs",
            );
        }
    }

    /// A model has run: what it has made of bytes from outside.
    pub(crate) fn concolic_received(&mut self, thread: usize, traits: &Traits, call: &Call) {
        let Some(concolic) = &mut self.concolic else { return };
        if concolic.incoming.is_empty() {
            return;
        }
        let incoming = std::mem::take(&mut concolic.incoming);
        self.note_baseline();
        let position = self.inspect().position(thread);
        let filled = match (traits.has(Trait::FillsFirst), traits.has(Trait::FillsSecond)) {
            (true, _) => Some(0),
            (false, true) => Some(1),
            (false, false) => None,
        };
        let target = filled.and_then(|argument: usize| {
            let slot = call.args.get(argument)?.slot;
            Some(self.threads[thread].pointer(slot))
        });
        let shared = |this: &mut Machine, at: Pointer| {
            this.records() && this.memory.check(at, 1).is_ok_and(|bounds| bounds.shared)
        };
        let target = target.filter(|&at| !shared(self, at));
        let lines = traits.has(Trait::ReadsLine);
        let one = traits.has(Trait::GivesByte) && incoming.len() == 1;
        for (index, &(term, byte)) in (0_u64..).zip(&incoming) {
            let at = target.map(|at| at.address.wrapping_add(index));
            // What was pushed back comes first, and is not what it was.
            let here = at.filter(|&at| self.memory.read(at, 1).value == u64::from(byte));
            let Some(concolic) = &mut self.concolic else { return };
            concolic.position = position;
            match here {
                Some(at) => {
                    if lines {
                        let end = concolic.terms.constant(8, u128::from(b'\n'));
                        let ends = concolic.terms.equal(term, end);
                        let condition = if byte == b'\n' { ends } else { concolic.terms.not(ends) };
                        concolic.branch(thread, condition, u64::from(byte == b'\n'), BranchKind::Ordinary);
                    }
                    self.memory.set_term(at, Some(term));
                }
                None if one => {
                    let term = concolic.terms.zero_extend(term, 64);
                    let frame = self.threads[thread].frames.len() - 1;
                    self.set_terms(thread, frame, &[(call.dst, Some(term))]);
                }
                None => concolic.pin(thread, term, byte.into(), BranchKind::Library),
            }
        }
    }
}

impl Operation<'_> {
    /// The arguments of a call that are expressions, with what they are here.
    pub fn told(&mut self, call: &Call) -> Vec<(Term, u64)> {
        let slots =
            call.args.iter().flat_map(|argument| argument.slot..argument.slot + argument.leaf.slots());
        slots.filter_map(|slot| Some((*self.slots.get(&slot)?, self.registers[slot as usize]))).collect()
    }

    /// The argument that is only compared with memory: that is a step with a decision of its own.
    fn compared(&self, call: &Call, traits: &Traits) -> Option<usize> {
        let known = |number: usize| {
            let slot = call.args.get(number)?.slot;
            (!self.has(slot)).then(|| self.register(slot))
        };
        let futex = traits.has(Trait::SystemCall) && known(0)? as i64 == libc::SYS_futex;
        let command = known(2)? as i32 & !(libc::FUTEX_PRIVATE_FLAG | libc::FUTEX_CLOCK_REALTIME);
        (futex && [libc::FUTEX_WAIT, libc::FUTEX_WAIT_BITSET].contains(&command)).then_some(3)
    }

    /// A call of a model.
    pub fn native(&mut self, call: &Call, traits: &Traits) -> After {
        let kind = match (traits.has(Trait::Assumes), traits.has(Trait::Asserts)) {
            (true, _) => Some(BranchKind::Assume),
            (false, true) => Some(BranchKind::Check),
            (false, false) => None,
        };
        if let (Some(kind), Some(argument)) = (kind, call.args.first()) {
            if self.has(argument.slot) {
                let (value, zero) = (self.value(argument.slot, 64), self.terms.constant(64, 0));
                let is_zero = self.terms.equal(value, zero);
                let condition = self.terms.not(is_zero);
                self.decide(condition, self.register(argument.slot) != 0, kind);
            }
        } else if !traits.has(Trait::Prints) {
            let compared = self.compared(call, traits);
            for (number, argument) in call.args.iter().enumerate() {
                if compared == Some(number) {
                    continue;
                }
                let kind = if argument.leaf == Leaf::Ptr { BranchKind::Address } else { BranchKind::Library };
                (argument.slot..argument.slot + argument.leaf.slots()).for_each(|slot| self.pin(slot, kind));
            }
        }
        // The model says what its results are, where they are not known.
        let results: u32 = call.result.iter().map(|leaf| leaf.slots()).sum();
        (call.dst..call.dst + results).for_each(|slot| {
            self.slots.remove(&slot);
        });
        After::Nothing
    }
}
