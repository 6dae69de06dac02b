//! A number that is equal for equal programs, whatever their files are called and wherever they lie.

use crate::{PointerTarget, Program};
use std::hash::{Hash, Hasher};

/// FNV-1a with 64 bits, taking whole words where they come.
struct Fnv(u64);

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
        self.write_u64(bytes.len() as u64);
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        self.0 ^= self.0 >> 32;
    }

    fn write_u8(&mut self, value: u8) {
        self.write_u64(u64::from(value));
    }

    fn write_u16(&mut self, value: u16) {
        self.write_u64(u64::from(value));
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }
}

/// Hashes code and data; source positions do not count.
pub fn fingerprint(program: &Program) -> u64 {
    let mut state = Fnv(0xcbf2_9ce4_8422_2325);
    for function in &program.functions {
        function.name.hash(&mut state);
        (function.parameter_slots, function.frame_slots, function.result_slots, function.variadic)
            .hash(&mut state);
        function.code.hash(&mut state);
        function.atomics.hash(&mut state);
        function.accesses.hash(&mut state);
        for alloca in &function.allocas {
            (alloca.size, alloca.count, alloca.align).hash(&mut state);
        }
        function.wides.hash(&mut state);
        function.extended_floats.hash(&mut state);
        function.repacks.hash(&mut state);
        function.intrinsics.hash(&mut state);
        function.switches.hash(&mut state);
        function.calls.hash(&mut state);
        function.landing_pads.hash(&mut state);
        function.blocks_taken.hash(&mut state);
    }
    for global in &program.globals {
        (&global.name, global.address, global.size, global.align, &global.bytes).hash(&mut state);
        for &(offset, target) in &global.pointers {
            let (kind, id) = match target {
                PointerTarget::Global(id) => (0, id),
                PointerTarget::Function(id) => (1, id),
                PointerTarget::External(id) => (2, id),
            };
            (offset, kind, id).hash(&mut state);
        }
        (&global.undefined, global.constant, global.thread_local, global.external).hash(&mut state);
    }
    for external in &program.externals {
        (&external.name, external.weak).hash(&mut state);
    }
    (program.entry, &program.constructors, &program.destructors).hash(&mut state);
    state.finish()
}
