//! Calls of functions through another type than their own: C programs do that with functions that they declare without
//! their parameters, and with pointers that they convert. What is passed is what the registers of an x86-64 pass.

use super::Run;
use crate::halt::{Halt, ViolationKind};
use crate::machine::Machine;
use crate::memory::Provenance;
use selvedge_program::code::{ByVal, Call, Function, Leaf};
use selvedge_solve::terms::Term;
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

/// A scalar on its way: its slots with their undefined bits and expressions.
type Scalar = Vec<(u64, u64, Option<Term>)>;

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

    /// What the parameters of a function get from a call that takes it for another function: of the arguments of its
    /// class, each parameter gets the next. A call without arguments leaves parameters without values.
    pub(super) fn arguments_for(&mut self, run: &Run, call: &Call, callee: &Function) -> Result<Slots, Halt> {
        let mut slots = Slots::default();
        let mut left: Vec<Option<usize>> = (0..call.args.len()).map(Some).collect();
        for &wanted in &callee.parameters {
            let next = left
                .iter_mut()
                .filter(|left| left.is_some_and(|index| alike(call.args[index].leaf, wanted)))
                .find_map(Option::take);
            let Some(index) = next else {
                if !call.args.is_empty() {
                    let message = format!("call of {} with other arguments than it takes", callee.display);
                    return Err(Halt::violation(ViolationKind::Memory, message));
                }
                slots.push(undefined(wanted));
                continue;
            };
            let argument = call.args[index];
            let given = self.scalar_at::<true>(run.thread, argument.slot, argument.leaf);
            let first = slots.values.len() as u32;
            slots.copies.extend(argument.byval.map(|byval| (first, byval)));
            slots.push(self.convert(run.thread, given, argument.leaf, wanted)?);
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
        let mut slots = Slots::default();
        let mut from = src;
        for (i, &wanted) in expected.iter().enumerate() {
            let given = results.get(i).copied().filter(|_| results.len() == expected.len());
            match given.filter(|&given| alike(given, wanted)) {
                Some(given) => {
                    let scalar = self.scalar_at::<true>(run.thread, from, given);
                    slots.push(self.convert(run.thread, scalar, given, wanted)?);
                }
                None => slots.push(undefined(wanted)),
            }
            from += given.map_or(0, Leaf::slots);
        }
        Ok(slots)
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

    /// What the bits of a register are for code that takes them for something else. Those above an `int` are zero, as a
    /// processor has it; those above anything smaller are undefined.
    fn convert(&mut self, thread: usize, given: Scalar, from: Leaf, to: Leaf) -> Result<Scalar, Halt> {
        if from == to {
            return Ok(given);
        }
        if given.iter().any(|(_, _, term)| term.is_some()) {
            let what = "call through another type with a value that depends on inputs";
            return Err(Halt::unsupported(what));
        }
        let (value, undefined, _) = given[0];
        if from == Leaf::Ptr {
            self.share(thread, Provenance(given[1].0))?;
        }
        let value = if mutant(Mutant::CutArguments) { value } else { value & bits_of(to) };
        let value = (value, (undefined | !written(from)) & bits_of(to), None);
        Ok(match to {
            Leaf::Ptr => vec![value, (Provenance::NONE.0, 0, None)],
            _ => vec![value],
        })
    }
}

/// Whether values of the one class are passed where those of the other are.
fn alike(one: Leaf, other: Leaf) -> bool {
    let general = |leaf| matches!(leaf, Leaf::Ptr | Leaf::Int(0..=64));
    one == other || general(one) && general(other)
}

fn undefined(leaf: Leaf) -> Scalar {
    vec![(0, u64::MAX, None); leaf.slots() as usize]
}

/// The bits of a register that a value determines.
fn written(leaf: Leaf) -> u64 {
    if leaf == Leaf::Int(32) { u64::MAX } else { bits_of(leaf) }
}

fn bits_of(leaf: Leaf) -> u64 {
    match leaf {
        Leaf::Int(bits @ 0..64) => (1 << bits) - 1,
        _ => u64::MAX,
    }
}
