//! What holds pointers outside of memory: registers, store buffers, what the machine itself remembers.

use crate::live::LiveSlots;
use crate::memory::{Places, Pointer, Provenance};
use crate::model::MemoryModel;
use crate::thread::Thread;
use crate::world::World;
use selvedge_program::Program;
use std::sync::Arc;

/// Everything outside of memory that can hold a pointer.
pub(crate) struct Holders<'a> {
    pub program: &'a Program,
    pub live: &'a LiveSlots,
    pub threads: &'a [Arc<Thread>],
    pub model: &'a MemoryModel,
    pub world: &'a World,
}

impl Holders<'_> {
    /// The generations of pointers to some places, which belong to a thread. A number that looks like a pointer counts
    /// as one.
    pub fn generations(&self, owner: usize, places: Places) -> Vec<u32> {
        let mut found = Vec::new();
        let mut note = |provenance: Provenance| found.extend(places.generation(provenance));
        match places.escaped {
            true => self.threads.iter().for_each(|thread| self.of_thread(thread, places, &mut note)),
            false => self.of_thread(&self.threads[owner], places, &mut note),
        }
        self.model.provenances(&mut note);
        self.world.pointers(&mut |pointer| note(pointer.provenance));
        found
    }

    fn of_thread(&self, thread: &Thread, places: Places, note: &mut impl FnMut(Provenance)) {
        let mut pointer = |pointer: Pointer| note(pointer.provenance);
        [thread.errno, thread.exception.0].into_iter().chain(thread.result).for_each(&mut pointer);
        thread.specifics.iter().copied().for_each(&mut pointer);
        thread.frames.iter().for_each(|frame| pointer(frame.varargs));
        let Some(top) = thread.frames.last() else { return };
        let end = top.base + self.program.functions[top.function as usize].frame_slots;
        let slots = &thread.registers[..(end as usize).min(thread.registers.len())];
        for (index, &slot) in slots.iter().enumerate() {
            if places.generation(Provenance(slot)).is_some() && self.is_live(thread, index as u32) {
                note(Provenance(slot));
            }
        }
    }

    /// Whether a register is read before it is written again.
    fn is_live(&self, thread: &Thread, index: u32) -> bool {
        let depth = thread.frames.partition_point(|frame| frame.base <= index);
        let Some(frame) = depth.checked_sub(1).map(|depth| &thread.frames[depth]) else { return false };
        let slots = match depth == thread.frames.len() {
            true => self.live.before(self.program, frame.function, frame.pc),
            false => self.live.across(self.program, frame.function, frame.pc),
        };
        slots.contains(index - frame.base)
    }
}
