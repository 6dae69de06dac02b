//! What heap blocks are made of: debug information does not say it of blocks, but of the pointers that lead to them.

use crate::machine::Machine;
use crate::memory::{Found, Object, ObjectKind};
use selvedge_program::shapes::{Encoding, Shape, ShapeId, ShapeKind, pointers};
use std::collections::HashMap;

/// So many pointers are followed in one search.
const POINTERS: usize = 20_000;
/// So many pointers of one variable.
const POINTERS_OF_ONE: usize = 2_000;
/// So often a search is begun for the same block: pointers to it may be stored later.
const ATTEMPTS: u32 = 12;
/// So many searches are made in all: names are a help, and must not cost more than the execution.
const SEARCHES: u32 = 200;

/// A block: where it is, and the how many-th of its thread.
type Key = (u64, u32);

/// What was found out about heap blocks of an execution.
#[derive(Default)]
pub struct Blocks {
    known: HashMap<Key, ShapeId>,
    attempts: HashMap<Key, u32>,
    searches: u32,
}

impl Blocks {
    /// The shape of a block; 0 if no pointer that has a type leads to it.
    pub(super) fn shape(&mut self, machine: &Machine, base: u64, object: &Object) -> ShapeId {
        let key = (base, object.number);
        if let Some(&shape) = self.known.get(&key) {
            return shape;
        }
        let attempts = self.attempts.entry(key).or_default();
        *attempts += 1;
        if *attempts <= ATTEMPTS && self.searches < SEARCHES {
            self.searches += 1;
            self.search(machine);
        }
        self.known.get(&key).copied().unwrap_or(0)
    }

    /// Follows pointers from variables, and from what they lead to.
    fn search(&mut self, machine: &Machine) {
        let program = &machine.program;
        let globals = program.globals.iter().filter(|global| !global.thread_local);
        let mut waiting: Vec<(u64, ShapeId)> = globals.map(|global| (global.address, global.shape)).collect();
        machine.memory.each_live(&mut |_, base, object| {
            let shape = match object.kind {
                ObjectKind::Heap => self.known.get(&(base, object.number)).copied().unwrap_or(0),
                _ => machine.shape_of_variable(object),
            };
            waiting.push((base, shape));
        });
        waiting.retain(|&(_, shape)| shape != 0);
        waiting.reverse();
        let mut left = POINTERS;
        while let Some((base, shape)) = waiting.pop().filter(|_| left > 0) {
            pointers(&program.shapes, shape, POINTERS_OF_ONE, &mut |offset, to| {
                left = left.saturating_sub(1);
                let found =
                    is_telling(&program.shapes, to).then(|| block_at(machine, base + offset)).flatten();
                if let Some(key) = found.filter(|key| !self.known.contains_key(key)) {
                    self.known.insert(key, to);
                    waiting.push((key.0, to));
                }
            });
        }
    }
}

/// Whether a pointer to something of this shape says what lies there: one to bytes does not.
fn is_telling(shapes: &[Shape], shape: ShapeId) -> bool {
    let bytes = |shape: &Shape| {
        shape.size <= 1
            && matches!(
                shape.kind,
                ShapeKind::Opaque
                    | ShapeKind::Number(Encoding::Character | Encoding::Unsigned | Encoding::Signed)
            )
    };
    shapes.get(shape as usize).is_some_and(|shape| shape.size > 0 && !bytes(shape))
}

/// The heap block to whose beginning the pointer at an address leads.
fn block_at(machine: &Machine, address: u64) -> Option<Key> {
    let bytes: [u8; 8] = machine.memory.peek(address, 8)?.try_into().ok()?;
    let to = u64::from_le_bytes(bytes);
    match machine.memory.find(to)? {
        Found::Object(_, base, object) if base == to && object.live && object.kind == ObjectKind::Heap => {
            Some((base, object.number))
        }
        _ => None,
    }
}
