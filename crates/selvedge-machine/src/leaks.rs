//! Leaks: heap blocks that no pointer of the program reaches any more.

use crate::inspect::Probe;
use crate::machine::Machine;
use crate::memory::{Found, Object, ObjectKind, Pointer, Provenance};
use rustc_hash::FxHashSet;
use selvedge_program::Liveness;

/// What has been reached, and what of it has not been looked through yet.
#[derive(Default)]
struct Reached {
    bases: FxHashSet<u64>,
    pending: Vec<(u64, u64)>,
}

impl Machine {
    /// Notes what a pointer leads to. A number that happens to be an address counts as a pointer; a pointer to
    /// something that has been freed leads nowhere, whatever lives at its place now.
    fn reach(&self, pointer: Pointer, reached: &mut Reached) {
        let address = match pointer.provenance {
            Provenance::NONE => pointer.address,
            provenance => provenance.base(),
        };
        let Some(Found::Object(_, base, object)) = self.memory.find(address) else { return };
        let same = pointer.provenance == Provenance::NONE || object.is_meant(base, pointer.provenance);
        if object.live && same && reached.bases.insert(base) {
            reached.pending.push((base, object.size));
        }
    }
}

impl Probe<'_> {
    /// Live heap blocks that no pointer leads to: not from globals, thread-local variables, stacks or registers of
    /// living threads, nor from blocks that are themselves reached. In order of their addresses.
    pub fn leaks(&mut self) -> Vec<Object> {
        let mut reached = Reached::default();
        for global in self.machine.program.globals.iter().filter(|global| !global.thread_local) {
            reached.pending.push((global.address, global.size));
        }
        let mut blocks = Vec::new();
        self.machine.memory.each_live(&mut |_, base, object| match object.kind {
            ObjectKind::Heap => blocks.push((base, *object)),
            // What is left of stacks and thread-local variables belongs to living threads.
            ObjectKind::Stack | ObjectKind::ThreadLocal | ObjectKind::Library => {
                reached.bases.insert(base);
                reached.pending.push((base, object.size));
            }
        });
        for index in 0..self.machine.threads.len() {
            let thread = self.machine.threads[index].clone();
            for (depth, frame) in thread.frames.iter().enumerate() {
                // Slots keep what they held before until they are written: only the live ones count.
                let function = &self.machine.program.functions[frame.function as usize];
                let liveness = Liveness::new(function);
                let slots = match depth + 1 == thread.frames.len() {
                    true => liveness.live_before(function, frame.pc),
                    false => liveness.live_across(function, frame.pc),
                };
                for slot in slots.iter() {
                    let address = thread.registers[(frame.base + slot) as usize];
                    self.machine.reach(Pointer { address, provenance: Provenance::NONE }, &mut reached);
                }
            }
            for &pointer in thread.specifics.iter().chain(&thread.result).chain([&thread.errno]) {
                self.machine.reach(pointer, &mut reached);
            }
        }
        while let Some((base, size)) = reached.pending.pop() {
            let mut at = base.next_multiple_of(8);
            while at + 8 <= base + size {
                let word = self.machine.memory.read_pointer(at);
                self.machine.reach(word, &mut reached);
                at += 8;
            }
        }
        blocks.retain(|(base, _)| !reached.bases.contains(base));
        blocks.into_iter().map(|(_, object)| object).collect()
    }
}
