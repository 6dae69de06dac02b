//! What the models have in common: the words of a synchronisation object, handles of threads, wrong use.

use crate::halt::{Halt, ViolationKind};
use crate::machine::Machine;
use crate::memory::{Pointer, Provenance};
use crate::native::Context;

/// Reads the first 32-bit words of an object; all of them must hold a value.
pub fn words<const N: usize>(context: &mut Context<'_>, at: Pointer) -> Result<[u32; N], Halt> {
    let len = 4 * N as u64;
    let mut words = [0; N];
    let bounds = context.machine.memory.check(at, len)?;
    if context.machine.model.buffers().is_none() || !bounds.shared {
        let mut defined = true;
        for (i, word) in words.iter_mut().enumerate() {
            let read = context.machine.memory.read(at.address.wrapping_add(4 * i as u64), 4);
            *word = read.value as u32;
            defined &= read.defined;
        }
        if defined {
            return Ok(words);
        }
    }
    let bytes = context.peek(at, len)?;
    for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(4)) {
        *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    }
    Ok(words)
}

/// Reads one 32-bit word of an object.
pub fn word(context: &mut Context<'_>, at: Pointer, offset: i64) -> Result<u32, Halt> {
    words::<1>(context, at.offset(offset)).map(|[word]| word)
}

/// Writes bytes of an object, for all threads to see at once: never through a store buffer, and after all that the
/// thread has stored before.
pub fn publish(context: &mut Context<'_>, at: Pointer, bytes: &[u8]) -> Result<(), Halt> {
    context.drain();
    context.machine.check_write(at, bytes.len() as u64)?;
    context.machine.memory.write_bytes(at.address, bytes);
    Ok(())
}

/// Writes one 32-bit word of an object, for all threads to see at once.
pub fn set_word(context: &mut Context<'_>, at: Pointer, offset: i64, value: u32) -> Result<(), Halt> {
    publish(context, at.offset(offset), &value.to_le_bytes())
}

/// Reads a word for a report, where no thread reads: nothing if it is not there.
pub fn peek(machine: &mut Machine, address: u64) -> Option<u32> {
    machine.memory.check(Pointer { address, provenance: Provenance::NONE }, 4).ok()?;
    Some(machine.memory.read(address, 4).value as u32)
}

/// The number by which the program knows a thread (`pthread_t`, owner of a mutex, thread id): it follows from the
/// thread's name, so that it is the same in every schedule. Never 0.
pub fn handle_of(machine: &Machine, thread: usize) -> u32 {
    machine.threads[thread].arena + 1
}

/// The calling thread's handle.
pub fn own_handle(context: &Context<'_>) -> u32 {
    handle_of(context.machine, context.thread)
}

/// The thread that a handle belongs to.
pub fn thread_with_handle(machine: &Machine, handle: impl Into<u64>) -> Option<usize> {
    let arena = u32::try_from(handle.into().checked_sub(1)?).ok()?;
    let likely = machine.threads.get(arena as usize);
    match likely.is_some_and(|thread| thread.arena == arena) {
        true => Some(arena as usize),
        false => machine.threads.iter().position(|thread| thread.arena == arena),
    }
}

/// A synchronisation object was misused; `problem` completes the sentence that starts with the object.
pub fn misuse(context: &Context<'_>, action: &str, at: Pointer, problem: &str) -> Halt {
    let name = context.machine.inspect().name_of(at.address);
    Halt::violation(ViolationKind::Misuse, format!("{action} {name}, {problem}"))
}

/// How people call the thread with a handle.
pub fn name_of_thread(machine: &Machine, handle: u32) -> String {
    match thread_with_handle(machine, handle) {
        Some(index) => machine.threads[index].name.to_string(),
        None => "an unknown thread".to_owned(),
    }
}
