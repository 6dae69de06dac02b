//! What models of library functions are told: mostly that expressions are what they are.

use super::operation::{After, Operation};
use selvedge_program::code::{Call, Leaf};
use selvedge_solve::paths::BranchKind;
use selvedge_solve::terms::Term;

/// Functions that pass on what they are told to the outside, where the program never sees it again.
const OUTPUT: &[&str] = &[
    "printf",
    "puts",
    "putchar",
    "putc",
    "fprintf",
    "fputs",
    "fputc",
    "vprintf",
    "vfprintf",
    "perror",
    "__printf_chk",
    "__fprintf_chk",
    "putchar_unlocked",
    "fputc_unlocked",
    "fwrite",
    "fwrite_unlocked",
    "fflush",
    "write",
    "writev",
];

/// Assumptions.
const ASSUME: &[&str] =
    &["selvedge_assume", "__VERIFIER_assume", "_RNvC8selvedge12assume_holds", "_ZN8selvedge12assume_holds"];

/// Assertions.
const ASSERT: &[&str] = &["selvedge_assert", "__VERIFIER_assert"];

/// Whether a function only tells the outside something.
pub(super) fn is_output(name: &str) -> bool {
    OUTPUT.contains(&name)
}

impl Operation<'_> {
    /// The arguments of a call that are expressions, with what they are here.
    pub fn told(&mut self, call: &Call) -> Vec<(Term, u64)> {
        let slots =
            call.args.iter().flat_map(|argument| argument.slot..argument.slot + argument.leaf.slots());
        slots.filter_map(|slot| Some((*self.slots.get(&slot)?, self.registers[slot as usize]))).collect()
    }

    /// A call of a model.
    pub fn native(&mut self, call: &Call, name: &str) -> After {
        let kind = match name {
            name if ASSUME.contains(&name) => Some(BranchKind::Assume),
            name if ASSERT.contains(&name) => Some(BranchKind::Check),
            _ => None,
        };
        if let (Some(kind), Some(argument)) = (kind, call.args.first()) {
            if self.has(argument.slot) {
                let (value, zero) = (self.value(argument.slot, 64), self.terms.constant(64, 0));
                let is_zero = self.terms.equal(value, zero);
                let condition = self.terms.not(is_zero);
                self.decide(condition, self.register(argument.slot) != 0, kind);
            }
        } else if !is_output(name) {
            for argument in &call.args {
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
