//! Variadic arguments, laid out as the x86-64 System V ABI has it: compilers expand `va_arg` to loads from there.

use crate::halt::Halt;
use crate::machine::Machine;
use crate::memory::{Pointer, Provenance};
use crate::model::Datum;
use selvedge_program::code::{Argument, Call, Leaf, Place, SAVE_AREA, Taken};
use selvedge_trace::mutants::{Mutant, mutant};

/// Least alignment of the arguments on the stack.
const STACK_ALIGN: u32 = 16;

impl Machine {
    /// Lays out what a variadic function with these fixed parameters finds of the other arguments: in one object the
    /// register save area, and right behind it the arguments on the stack. Gives the start of the latter. Registers that
    /// no argument is in hold no value.
    pub(super) fn variadic_arguments(
        &mut self,
        thread: usize,
        call: &Call,
        fixed: Taken,
    ) -> Result<Pointer, Halt> {
        let mut taken = Taken::default();
        let mut place = Place::Stack(0);
        let mut layout: Vec<(Place, &Argument)> = Vec::new();
        for argument in &call.args {
            if argument.part.offset == 0 {
                place = pass(&mut taken, argument);
            }
            if !fixed.covers(place) {
                layout.push((place, argument));
            }
        }
        let align = taken.align.max(STACK_ALIGN);
        let head = u64::from(SAVE_AREA.next_multiple_of(align));
        let area = self.push_stack(thread, head + u64::from(taken.stack), u64::from(align), (u32::MAX, 0))?;
        let stack = area.offset(head as i64);
        for (place, argument) in layout {
            let at = match place {
                Place::Stack(offset) => stack.offset(i64::from(offset)),
                Place::General(_) | Place::Vector(_) => {
                    save_area(stack).offset(i64::from(place.in_save_area().unwrap_or(0)))
                }
            };
            self.write_argument(thread, at.offset(i64::from(argument.part.offset)), argument)?;
        }
        Ok(stack)
    }

    fn write_argument(&mut self, thread: usize, at: Pointer, argument: &Argument) -> Result<(), Halt> {
        match (argument.byval, argument.leaf) {
            (Some(byval), _) => {
                let from = self.threads[thread].pointer(argument.slot);
                return self.copy_bytes(thread, at, from, u64::from(byval.size));
            }
            (None, Leaf::Int(bits)) if argument.part.vector && !bits.is_multiple_of(8) => {
                return Err(Halt::unsupported("variadic argument that is a vector of bits"));
            }
            _ => {}
        }
        let padded = if argument.part.vector { argument.leaf.bytes() } else { 8 };
        self.write_leaf(thread, at.address, argument.leaf, argument.slot, padded);
        Ok(())
    }

    /// Begins a `va_list`: `{ i32 gp_offset, i32 fp_offset, ptr overflow_arg_area, ptr reg_save_area }`.
    pub(super) fn va_start(&mut self, thread: usize, list: Pointer) -> Result<(), Halt> {
        let frame = self.threads[thread].frame();
        let stack = frame.varargs;
        let Some(taken) = self.program.functions[frame.function as usize].variadic else {
            return Err(Halt::unsupported("va_start in a function that is not variadic"));
        };
        self.check_write(list, 24)?;
        let offsets = [Place::General(taken.general), Place::Vector(taken.vector)]
            .map(|place| u64::from(place.in_save_area().unwrap_or(0)));
        let offsets = Pointer { address: offsets[0] | offsets[1] << 32, ..Pointer::NULL };
        let words = [offsets, stack.offset(i64::from(taken.stack)), save_area(stack)];
        for (i, Pointer { address: value, provenance }) in (0..).zip(words) {
            let datum = Datum { value, provenance, undefined: 0 };
            self.write_private(thread, list.address + 8 * i, 8, datum);
        }
        Ok(())
    }

    /// Writes a leaf of the running frame to memory, padded with zeros to a multiple of `padded` bytes.
    pub(super) fn write_leaf(&mut self, thread: usize, address: u64, leaf: Leaf, slot: u32, padded: u32) {
        let register = |machine: &Machine, i: u32| machine.threads[thread].register(slot + i);
        if leaf == Leaf::Ptr {
            let provenance = Provenance(register(self, 1));
            let undefined = super::bytes_of_bits(self.undefined_bits(thread, slot));
            let datum = Datum { value: register(self, 0), provenance, undefined };
            self.write_private(thread, address, 8, datum);
            return self.write_terms(thread, address, slot, 8);
        }
        let total = leaf.bytes().next_multiple_of(padded);
        for at in (0..total).step_by(8) {
            let len = (total - at).min(8);
            let slot_index = at / 8;
            let (value, undefined) = match slot_index < leaf.slots() {
                true => (register(self, slot_index), self.undefined_bits(thread, slot + slot_index)),
                false => (0, 0),
            };
            let undefined = super::bytes_of_bits(undefined);
            let datum = Datum { value, provenance: Provenance::NONE, undefined };
            self.write_private(thread, address + u64::from(at), len as u8, datum);
            if slot_index < leaf.slots() {
                self.write_terms(thread, address + u64::from(at), slot + slot_index, len);
            }
        }
    }
}

/// The register save area before the arguments on the stack.
fn save_area(stack: Pointer) -> Pointer {
    stack.offset(-i64::from(SAVE_AREA))
}

fn pass(taken: &mut Taken, argument: &Argument) -> Place {
    let Argument { leaf, byval, part, .. } = *argument;
    match leaf {
        Leaf::Float(_) if mutant(Mutant::FloatsInGeneralRegisters) => taken.pass(Leaf::Int(64), part, byval),
        _ => taken.pass(leaf, part, byval),
    }
}
