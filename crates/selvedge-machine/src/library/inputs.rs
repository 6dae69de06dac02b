//! Values that the program asks for: `selvedge_any_*`, `__VERIFIER_nondet_*`, Rust's `selvedge::any`; and assumptions.
//!
//! A value is named by the thread that asks for it and by its number there, so that it is the same one in every
//! schedule. A call is not visible: what a thread is given depends on no other thread.

use crate::halt::{Halt, ViolationKind};
use crate::inspect::Inspect;
use crate::machine::Machine;
use crate::memory::{Pointer, Provenance};
use crate::native::{Context, Flow, Native};
use crate::thread::Wait;
use crate::traits::Reach;
use crate::traits::Trait::{AsksForInput, Asserts, Assumes};
use crate::traits::uses;
use selvedge_program::Program;
use selvedge_program::code::Leaf;
use selvedge_terms::Symbol;
use selvedge_trace::InputName;
use std::sync::Arc;

/// A value that the program has asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    pub name: InputName,
    /// Its bits.
    pub width: u32,
    /// What it was given.
    pub value: u64,
    /// Where in the user's own code it has asked.
    pub position: u32,
}

const fn private(name: &'static str, run: fn(&mut Context<'_>) -> Result<Flow, Halt>) -> Native {
    Native::private(name, run)
}

/// Functions whose result is an input of the type of the result.
macro_rules! inputs {
    ($($name:literal)*) => { [$(private($name, any).with(&[AsksForInput])),*] };
}

/// Functions whose result is an input. Names are mangled, without the number of the crate, where they are Rust's.
pub const ANY: &[Native] = &inputs! {
    "selvedge_any_bool" "selvedge_any_char" "selvedge_any_schar" "selvedge_any_uchar"
    "selvedge_any_short" "selvedge_any_ushort" "selvedge_any_int" "selvedge_any_uint"
    "selvedge_any_long" "selvedge_any_ulong" "selvedge_any_longlong" "selvedge_any_ulonglong"
    "selvedge_any_int8" "selvedge_any_uint8" "selvedge_any_int16" "selvedge_any_uint16"
    "selvedge_any_int32" "selvedge_any_uint32" "selvedge_any_int64" "selvedge_any_uint64"
    "selvedge_any_size" "selvedge_any_ssize" "selvedge_any_intptr" "selvedge_any_uintptr"
    "selvedge_any_float" "selvedge_any_double"
    "__VERIFIER_nondet_bool" "__VERIFIER_nondet__Bool" "__VERIFIER_nondet_char" "__VERIFIER_nondet_uchar"
    "__VERIFIER_nondet_unsigned_char" "__VERIFIER_nondet_schar" "__VERIFIER_nondet_short"
    "__VERIFIER_nondet_ushort" "__VERIFIER_nondet_unsigned_short" "__VERIFIER_nondet_int"
    "__VERIFIER_nondet_uint" "__VERIFIER_nondet_unsigned" "__VERIFIER_nondet_unsigned_int"
    "__VERIFIER_nondet_long" "__VERIFIER_nondet_ulong" "__VERIFIER_nondet_unsigned_long"
    "__VERIFIER_nondet_longlong" "__VERIFIER_nondet_ulonglong" "__VERIFIER_nondet_unsigned_long_long"
    "__VERIFIER_nondet_S8" "__VERIFIER_nondet_U8" "__VERIFIER_nondet_S16" "__VERIFIER_nondet_U16"
    "__VERIFIER_nondet_S32" "__VERIFIER_nondet_U32" "__VERIFIER_nondet_S64" "__VERIFIER_nondet_U64"
    "__VERIFIER_nondet_u8" "__VERIFIER_nondet_u16" "__VERIFIER_nondet_u32" "__VERIFIER_nondet_u64"
    "__VERIFIER_nondet_size_t" "__VERIFIER_nondet_loff_t" "__VERIFIER_nondet_sector_t"
    "__VERIFIER_nondet_pointer" "__VERIFIER_nondet_charp" "__VERIFIER_nondet_pchar"
    "__VERIFIER_nondet_float" "__VERIFIER_nondet_double"
    "_RNvC8selvedge8any_bool" "_RNvC8selvedge6any_u8" "_RNvC8selvedge7any_u16" "_RNvC8selvedge7any_u32"
    "_RNvC8selvedge7any_u64" "_ZN8selvedge8any_bool" "_ZN8selvedge6any_u8" "_ZN8selvedge7any_u16"
    "_ZN8selvedge7any_u32" "_ZN8selvedge7any_u64"
};

/// Functions that fill memory with inputs.
pub const BYTES: &[Native] = &[
    Native::if_shared("selvedge_any_bytes", Reach::Anything, any_bytes).with(&[AsksForInput]),
    Native::if_shared("__VERIFIER_nondet_memory", Reach::Anything, any_bytes).with(&[AsksForInput]),
];

/// Assumptions and assertions.
pub const OTHERS: &[Native] = &[
    private("selvedge_assume", assume).with(&[Assumes]),
    private("__VERIFIER_assume", assume).with(&[Assumes]),
    private("_RNvC8selvedge12assume_holds", assume).with(&[Assumes]),
    private("_ZN8selvedge12assume_holds", assume).with(&[Assumes]),
    private("selvedge_pin", |context| {
        let (name, value) = (context.pointer(0)?, context.int(1)?);
        let name = context.read_string(name, None)?;
        pin(context, &name, value)
    }),
    private("_RNvC8selvedge9pin_value", pin_text),
    private("_ZN8selvedge9pin_value", pin_text),
    private("selvedge_assert", assert).with(&[Asserts]),
    private("__VERIFIER_assert", assert).with(&[Asserts]),
];

/// The first function of the program whose result is an input, if there is one.
pub fn asks_for_inputs(program: &Program) -> Option<&str> {
    uses(program, |traits| traits.has(AsksForInput))
}

fn any(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let dst = context.call.dst;
    match context.call.result.first().copied() {
        Some(leaf @ Leaf::Int(width)) if leaf.slots() == 1 => {
            let value = context.input(dst, width);
            context.this_mut().set_register(dst, value);
        }
        Some(Leaf::Ptr) => {
            let address = context.input(dst, 64);
            context.this_mut().set_pointer(dst, Pointer { address, provenance: Provenance::NONE });
        }
        Some(leaf @ Leaf::Float(_)) if leaf.slots() == 1 => {
            let value = context.input(dst, 8 * leaf.bytes());
            context.this_mut().set_register(dst, value);
        }
        Some(_) => return Err(Halt::unsupported("input of more than 64 bits")),
        None => {}
    }
    Ok(Flow::Return)
}

fn any_bytes(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (to, len) = (context.pointer(0)?, context.int(1)?);
    if context.machine.chooses_input(context.thread) {
        return Err(Halt::unsupported("blocks of bytes as inputs, value by value"));
    }
    context.machine.check_write(to, len)?;
    for offset in 0..len {
        let at = to.offset(offset as i64);
        let name = context.machine.next_input(context.thread);
        let value = context.machine.input_value(&name, 8);
        let symbol = Symbol::Input { thread: name.thread.clone(), occurrence: name.occurrence };
        let open = !context.machine.world.pinned.contains_key(&name);
        if open {
            context.machine.send_symbol(at, &symbol, true);
        }
        context.write(at, &[value as u8])?;
        if open {
            context.machine.send_symbol(at, &symbol, false);
        }
    }
    Ok(Flow::Return)
}

fn pin_text(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (name, len, value) = (context.pointer(0)?, context.int(1)?, context.int(2)?);
    let name = context.read(name, len)?;
    pin(context, &name, value)
}

/// Fixes a value. Its name is seen from the calling thread, which stands for `main`.
fn pin(context: &mut Context<'_>, name: &[u8], value: u64) -> Result<Flow, Halt> {
    let text = String::from_utf8_lossy(name).into_owned();
    let name: InputName = text.parse().map_err(|error| {
        Halt::violation(ViolationKind::Misuse, format!("a value cannot be pinned: {error}"))
    })?;
    let own = context.this().name.clone();
    let thread = name.thread.path().iter().fold(own, |thread, &child| thread.child(child));
    let name = InputName { thread, ..name };
    Arc::make_mut(&mut context.machine.world.pinned).insert(name, value);
    Ok(Flow::Return)
}

fn assume(context: &mut Context<'_>) -> Result<Flow, Halt> {
    match context.int(0)? {
        // As if the thread went round for ever: the others go on.
        0 => Ok(Flow::Wait(Wait::Assumption)),
        _ => Ok(Flow::Return),
    }
}

fn assert(context: &mut Context<'_>) -> Result<Flow, Halt> {
    match context.int(0)? {
        0 => Err(Halt::violation(ViolationKind::Assertion, "assertion failed")),
        _ => Ok(Flow::Return),
    }
}

impl Context<'_> {
    /// The next input of the calling thread, for a slot of its frame.
    fn input(&mut self, slot: u32, width: u32) -> u64 {
        if self.machine.chooses_input(self.thread) {
            return self.chosen_input(slot, width);
        }
        let name = self.machine.next_input(self.thread);
        if self.machine.takes_symbols() && !self.machine.world.pinned.contains_key(&name) {
            let symbol = Symbol::Input { thread: name.thread.clone(), occurrence: name.occurrence };
            self.machine.set_symbol(self.thread, slot, &symbol, width);
        }
        self.machine.input_value(&name, width)
    }

    /// The next input of the calling thread, as the scheduler has chosen it.
    fn chosen_input(&mut self, slot: u32, width: u32) -> u64 {
        let (symbol, values) = self.machine.input_choices(self.thread, width);
        let by_site = self.machine.config.choices.as_ref().is_some_and(|choices| choices.by_site);
        let value = values.get(self.alternative as usize).copied().unwrap_or(0);
        let thread = self.this_mut();
        let name = InputName { thread: thread.name.clone(), occurrence: thread.inputs };
        thread.inputs += 1;
        if width > 1 {
            if let Some(choices) = &self.machine.config.choices {
                choices.predicates.known().wide = true;
            }
            if !by_site {
                // What it is given next has another name.
                let thread = self.this_mut();
                thread.input_key = thread.inputs;
            }
            let symbol = Symbol::Input { thread: symbol.thread, occurrence: symbol.occurrence };
            self.machine.set_symbol(self.thread, slot, &symbol, width);
        }
        let position = self.machine.inspect().user_position(self.thread);
        Arc::make_mut(&mut self.machine.world.asked).push(Asked { name, width, value, position });
        value
    }
}

impl Machine {
    /// The name of the next value that a thread asks for.
    fn next_input(&mut self, thread: usize) -> InputName {
        let given = !self.world.inputs.values.is_empty()
            || !self.world.pinned.is_empty()
            || self.config.random_inputs.is_some();
        let thread = self.thread_mut(thread);
        let occurrence = thread.inputs;
        thread.inputs += 1;
        if given {
            thread.input_key = thread.inputs;
        }
        InputName { thread: thread.name.clone(), occurrence }
    }

    /// The value of an input.
    fn input_value(&mut self, name: &InputName, width: u32) -> u64 {
        let pinned = self.world.pinned.get(name);
        let given = pinned.or_else(|| self.world.inputs.values.get(name)).copied();
        let random = || self.config.random_inputs.map(|seed| random(seed, name, width));
        let value = given.or_else(random).unwrap_or(0) & (u64::MAX >> (64 - width.clamp(1, 64)));
        let thread = self.threads.iter().position(|thread| thread.name == name.thread);
        let position = thread.map_or(0, |index| self.inspect().user_position(index));
        Arc::make_mut(&mut self.world.asked).push(Asked { name: name.clone(), width, value, position });
        value
    }
}

impl<'a> Inspect<'a> {
    /// The values that the program has asked for so far, in the order in which it did.
    pub fn asked(self) -> &'a [Asked] {
        &self.machine.world.asked
    }
}

/// A number that depends on nothing but these: small ones and extreme ones are more frequent than others.
fn random(seed: u64, name: &InputName, width: u32) -> u64 {
    let mix = |state: u64, word: u64| {
        let mixed = u128::from(state ^ word ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93_u128;
        mixed as u64 ^ (mixed >> 64) as u64
    };
    let words =
        name.thread.path().iter().map(|&n| u64::from(n)).chain([1 << 40 | u64::from(name.occurrence)]);
    let number = words.fold(mix(seed, 0), mix);
    let rest = number >> 3;
    match number & 7 {
        0..=2 => rest & 7,
        3 => (rest & 7).wrapping_neg(),
        4 => 1 << (rest % u64::from(width.clamp(1, 64))),
        _ => mix(number, 1),
    }
}
