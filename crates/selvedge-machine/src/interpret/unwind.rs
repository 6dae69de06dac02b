//! Unwinding and long jumps: what the C part of the library needs to find and enter landing pads.

use super::Run;
use super::calls::Next;
use crate::halt::{Halt, ViolationKind};
use crate::machine::Machine;
use crate::memory::{Pointer, Provenance};
use crate::model::Datum;
use crate::native::{Context, Flow, Native};
use selvedge_program::code::{Clause, LandingPad, Op};

/// The function of the C library that goes on with unwinding.
const RESUME: &str = "_Unwind_Resume";
/// The class of exceptions that are Rust panics: as a number, as older compilers have it, or as bytes.
const RUST_EXCEPTION: [u64; 2] = [u64::from_be_bytes(*b"MOZ\0RUST"), u64::from_le_bytes(*b"MOZ\0RUST")];
/// Marks a jump buffer that `setjmp` has filled.
const JUMP_MAGIC: u64 = 0x5e1f_ed6e_0000_0001;

const fn private(name: &'static str, run: fn(&mut Context<'_>) -> Result<Flow, Halt>) -> Native {
    Native::private(name, run)
}

/// Models of the functions that move a thread to another frame.
pub(crate) static NATIVES: &[Native] = &[
    private("__selvedge_landing_pad", landing_pad),
    private("__selvedge_clause", clause),
    private("__selvedge_filter", filter),
    private("__selvedge_type_id", type_id),
    private("__selvedge_unwind", unwind),
    private("longjmp", long_jump),
    private("_longjmp", long_jump),
    private("siglongjmp", long_jump),
    private("__longjmp_chk", long_jump),
];

/// The landing pad of a frame's current call: `Err(-2)` no such frame, `Err(-1)` no landing pad.
fn find(context: &Context<'_>, depth: u64) -> Result<LandingPad, i32> {
    let thread = context.this();
    let index = (thread.frames.len() as u64).checked_sub(depth + 1).ok_or(-2)?;
    let frame = &thread.frames[index as usize];
    let function = &context.machine.program.functions[frame.function as usize];
    let Op::Call { index } = function.code[frame.pc as usize] else { return Err(-1) };
    let unwind = function.calls[index as usize].unwind.ok_or(-1)?;
    let pad = function.landing_pad(unwind).ok_or(-1)?;
    Ok(function.landing_pads[pad as usize].clone())
}

fn landing_pad(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let result = match find(context, context.int(0)?) {
        Ok(pad) => pad.clauses.len() as i32 | if pad.cleanup { 0x10000 } else { 0 },
        Err(code) => code,
    };
    context.return_int(result as u64)
}

fn type_pointer(context: &Context<'_>, global: Option<u32>) -> Pointer {
    global.map_or(Pointer::NULL, |global| context.machine.memory.global_pointer(global))
}

fn clause(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let pad =
        find(context, context.int(0)?).map_err(|_| Halt::unsupported("unwinding without a landing pad"))?;
    let number = context.int(1)? as usize;
    let (kind, pointer) = match pad.clauses.get(number) {
        Some(Clause::Catch(global)) => (0, type_pointer(context, *global)),
        _ => (1, Pointer::NULL),
    };
    let to = context.pointer(2)?;
    context.write_pointer(to, pointer)?;
    context.return_int(kind)
}

fn filter(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let pad =
        find(context, context.int(0)?).map_err(|_| Halt::unsupported("unwinding without a landing pad"))?;
    let number = context.int(1)? as usize;
    let Some(Clause::Filter(types)) = pad.clauses.get(number) else { return context.return_int(0) };
    let (to, capacity) = (context.pointer(2)?, context.int(3)?);
    for (i, global) in types.iter().take(capacity as usize).enumerate() {
        let pointer = type_pointer(context, *global);
        context.write_pointer(to.offset(8 * i as i64), pointer)?;
    }
    context.return_int(types.len() as u64)
}

fn type_id(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let id = context.machine.type_id(context.pointer(0)?);
    context.return_int(u64::from(id))
}

fn unwind(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (depth, exception, selector) = (context.int(0)?, context.pointer(1)?, context.int(2)? as u32);
    let panics = RUST_EXCEPTION.contains(&context.read_int(exception, 8)?);
    context.machine.world.panicked |= panics;
    let resumes = context.machine.program.functions_by_name.get(RESUME).copied();
    if panics && Some(context.this().frame().function) != resumes {
        let position = context.machine.inspect().user_position(context.thread);
        context.this_mut().panicked_at = Some(position);
    }
    let keep = context.this().frames.len() - depth as usize;
    drop_frames(context, keep);
    if panics && context.machine.is_at_root(context.thread) {
        context.this_mut().panicked = true;
    }
    let frame = context.this().frame();
    let function = &context.machine.program.functions[frame.function as usize];
    let target = match function.code[frame.pc as usize] {
        Op::Call { index } => function.calls[index as usize].unwind,
        _ => None,
    };
    let target = target.ok_or_else(|| Halt::unsupported("unwinding to a call without a landing pad"))?;
    let thread = context.this_mut();
    thread.frame_mut().pc = target;
    thread.exception = (exception, selector);
    Ok(Flow::Moved)
}

/// Leaves all frames but the first `keep`.
fn drop_frames(context: &mut Context<'_>, keep: usize) {
    let thread = context.thread;
    if let Some(frame) = context.this().frames.get(keep) {
        let mark = frame.stack_mark as usize;
        context.machine.free_stack(thread, mark);
    }
    context.this_mut().frames.truncate(keep);
}

fn long_jump(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (buffer, value) = (context.pointer(0)?, context.int(1)? as u32);
    let mut words = [0; 4];
    for (i, word) in words.iter_mut().enumerate() {
        *word = context.read_int(buffer.offset(8 * i as i64), 8)?;
    }
    let [magic, depth, place, slot] = words;
    let bad =
        || Halt::violation(ViolationKind::Memory, "longjmp to a function that has returned or was never set");
    let keep = depth as usize;
    let frame = context.this().frames.get(keep.wrapping_sub(1)).ok_or_else(bad)?;
    if magic != JUMP_MAGIC || place >> 32 != u64::from(frame.function) {
        return Err(bad());
    }
    drop_frames(context, keep);
    let thread = context.this_mut();
    thread.frame_mut().pc = place as u32 + 1;
    thread.set_register(slot as u32, u64::from(value.max(1)));
    Ok(Flow::Moved)
}

impl Machine {
    /// `setjmp`: notes where a later `longjmp` comes back to.
    pub(super) fn set_jump(&mut self, thread: usize, buffer: Pointer, dst: u32) -> Result<(), Halt> {
        self.check_write(buffer, 32)?;
        let this = &self.threads[thread];
        let frame = this.frame();
        let place = u64::from(frame.function) << 32 | u64::from(frame.pc);
        let words = [JUMP_MAGIC, this.frames.len() as u64, place, u64::from(dst)];
        for (i, word) in words.into_iter().enumerate() {
            let datum = Datum { value: word, provenance: Provenance::NONE, undefined: 0 };
            self.write_private(thread, buffer.address + 8 * i as u64, 8, datum);
        }
        self.thread_mut(thread).set_register(dst, 0);
        Ok(())
    }

    /// The `resume` instruction: unwinding goes on above this frame.
    pub(super) fn resume_unwinding(&mut self, run: &mut Run, src: u32) -> Result<Next, Halt> {
        let exception = self.threads[run.thread].pointer(src);
        let resume = self.program.functions_by_name.get(RESUME).copied();
        let resume =
            resume.ok_or_else(|| Halt::unsupported("unwinding without the unwinder of the C library"))?;
        self.enter_with(run.thread, resume, &[exception.address, exception.provenance.0])?;
        Ok(Next::Reload)
    }
}
