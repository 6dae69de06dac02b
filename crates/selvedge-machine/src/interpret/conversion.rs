//! Calls of functions through another type than their own: C programs do that with functions that they declare without
//! their parameters, and with pointers that they convert. What is passed is what the registers of an x86-64 pass.

use super::Run;
use super::registers::{Registers, Scalar, Taken, bits_of, result_parts};
use crate::halt::{Halt, ViolationKind};
use crate::machine::Machine;
use crate::memory::Provenance;
use selvedge_program::code::{ByVal, Call, Function, Leaf};
use selvedge_terms::Term;
use selvedge_trace::mutants::{Mutant, mutant};

/// What a callee's parameter slots, or the caller's result slots, get.
#[derive(Debug, Default)]
pub(super) struct Slots {
    /// The values.
    pub values: Vec<u64>,
    /// Undefined bits, by slot.
    pub marks: Vec<(u32, u64)>,
    /// Expressions, by slot.
    pub terms: Vec<(u32, Term)>,
    /// First slots of pointers to objects that are passed by value, and are still to be copied.
    pub copies: Vec<(u32, ByVal)>,
}

impl Slots {
    /// Zeros.
    pub fn zero(leaves: &[Leaf]) -> Slots {
        let slots: u32 = leaves.iter().map(|leaf| leaf.slots()).sum();
        Slots { values: vec![0; slots as usize], ..Slots::default() }
    }

    fn push(&mut self, scalar: impl IntoIterator<Item = (u64, u64, Option<Term>)>) {
        for (value, undefined, term) in scalar {
            let slot = self.values.len() as u32;
            self.values.push(value);
            self.marks.extend((undefined != 0).then_some((slot, undefined)));
            self.terms.extend(term.map(|term| (slot, term)));
        }
    }
}

impl Machine {
    /// The arguments of a call that passes what the callee takes.
    pub(super) fn arguments_as_they_are<const SINGLE: bool>(
        &self,
        run: &Run,
        call: &Call,
        callee: &Function,
    ) -> Slots {
        let mut slots = Slots::default();
        for argument in &call.args[..callee.parameters.len()] {
            let first = slots.values.len() as u32;
            slots.copies.extend(argument.byval.map(|byval| (first, byval)));
            slots.push(self.scalar_at::<SINGLE>(run.thread, argument.slot, argument.leaf));
        }
        slots
    }

    /// The results of the running function, from slot `src` on, for a caller that expects just these.
    pub(super) fn results_as_they_are<const SINGLE: bool>(&self, run: &Run, src: u32, count: u32) -> Slots {
        let mut slots = Slots::default();
        (src..src + count).for_each(|slot| slots.push([self.slot_at::<SINGLE>(run.thread, slot)]));
        slots
    }

    /// What the parameters of a function get from a call that takes it for another function: the next register of their
    /// class. A call without arguments leaves parameters without values.
    pub(super) fn arguments_for(&mut self, run: &Run, call: &Call, callee: &Function) -> Result<Slots, Halt> {
        let mut registers = Registers::default();
        for argument in &call.args {
            if argument.part.vector && matches!(argument.leaf, Leaf::Int(_)) {
                return Err(Halt::unsupported("call through another type with a vector of integers"));
            }
            let scalar = self.scalar_at::<true>(run.thread, argument.slot, argument.leaf);
            registers.pass(argument.leaf, argument.part, argument.byval, scalar);
        }
        let mut slots = Slots::default();
        for &wanted in &callee.parameters {
            let first = slots.values.len() as u32;
            match registers.take(wanted) {
                Some(Taken { scalar, from, byval }) => {
                    slots.copies.extend(byval.map(|byval| (first, byval)));
                    slots.push(self.received(run.thread, scalar, from, wanted)?);
                }
                None if call.args.is_empty() => slots.push(undefined(wanted)),
                None => {
                    let message = format!("call of {} with other arguments than it takes", callee.display);
                    return Err(Halt::violation(ViolationKind::Memory, message));
                }
            }
        }
        Ok(slots)
    }

    /// What a caller gets that expects other results than the running function, which returns with its results from
    /// slot `src` on.
    pub(super) fn results_for(
        &mut self,
        run: &Run,
        src: u32,
        results: &[Leaf],
        expected: &[Leaf],
    ) -> Result<Slots, Halt> {
        let mut registers = Registers::default();
        let mut from = src;
        for (&leaf, part) in results.iter().zip(result_parts(results)) {
            registers.pass(leaf, part, None, self.scalar_at::<true>(run.thread, from, leaf));
            from += leaf.slots();
        }
        let mut slots = Slots::default();
        for &wanted in expected {
            match registers.take(wanted) {
                Some(Taken { scalar, from, .. }) => {
                    slots.push(self.received(run.thread, scalar, from, wanted)?);
                }
                None => slots.push(undefined(wanted)),
            }
        }
        Ok(slots)
    }

    /// A pointer that becomes an integer may travel; an expression that is cut is not followed.
    fn received(
        &mut self,
        thread: usize,
        mut scalar: Scalar,
        from: Option<Leaf>,
        wanted: Leaf,
    ) -> Result<Scalar, Halt> {
        if from == Some(wanted) {
            scalar[0].1 &= bits_of(wanted);
            return Ok(scalar);
        }
        if scalar.iter().any(|(_, _, term)| term.is_some()) {
            let what = "call through another type with a value that depends on inputs";
            return Err(Halt::unsupported(what));
        }
        if from == Some(Leaf::Ptr) {
            self.share(thread, Provenance(scalar[1].0))?;
        }
        let (value, undefined, _) = scalar[0];
        let value = if mutant(Mutant::CutArguments) { value } else { value & bits_of(wanted) };
        let first = (value, undefined & bits_of(wanted), None);
        Ok(match wanted {
            Leaf::Ptr => vec![first, (Provenance::NONE.0, 0, None)],
            _ if wanted.slots() == 2 => vec![first, scalar.get(1).copied().unwrap_or((0, u64::MAX, None))],
            _ => vec![first],
        })
    }

    fn scalar_at<const SINGLE: bool>(&self, thread: usize, slot: u32, leaf: Leaf) -> Scalar {
        (slot..slot + leaf.slots()).map(|slot| self.slot_at::<SINGLE>(thread, slot)).collect()
    }

    fn slot_at<const SINGLE: bool>(&self, thread: usize, slot: u32) -> (u64, u64, Option<Term>) {
        let value = self.threads[thread].register(slot);
        match SINGLE {
            true => (value, self.undefined_bits(thread, slot), self.term_of(thread, slot)),
            false => (value, 0, None),
        }
    }
}

fn undefined(leaf: Leaf) -> Scalar {
    vec![(0, u64::MAX, None); leaf.slots() as usize]
}
