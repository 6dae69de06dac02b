//! Finds locals that never need memory: their address is used for plain loads and stores only.
//!
//! Such a local becomes slots of the frame. An object that is accessed at constant, disjoint pieces becomes one
//! local per piece. Nothing whose address goes anywhere else is touched, so no access that another thread could
//! see disappears.

use crate::code::{FloatFormat, Leaf};
use crate::constants::sign_extend;
use crate::link::Linker;
use crate::llvm::{LLVMAtomicOrdering, Opcode, Type, Value, ValueKind};
use crate::lower::body::Body;
use crate::types::Layout;
use std::rc::Rc;

/// What became of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// It is lowered as it stands.
    Plain,
    /// It only computed an address inside a promoted object: nothing is left of it.
    Gone,
    /// Reads a local.
    Load(u32),
    /// Writes a local.
    Store(u32),
    /// The object comes into being: locals from..to hold nothing yet.
    Birth(u32, u32),
}

/// A promoted piece of an object.
#[derive(Debug)]
pub struct Local {
    /// Where in its object it lies, in bytes.
    pub offset: i64,
    /// How its value lies in slots.
    pub layout: Rc<Layout>,
    /// It holds a pointer, or an i64 that is also used as one: two slots.
    pub pointer: bool,
    /// It is an i64 throughout; whether it carries pointers is found out later.
    pub plain_i64: bool,
    /// Some path reads it before it is written.
    pub needs_undefined: bool,
}

impl Local {
    /// Slots that it takes.
    pub fn slots(&self) -> u32 {
        if self.pointer { 2 } else { self.layout.slots }
    }
}

/// The outcome.
#[derive(Default)]
pub struct Promotion {
    pub locals: Vec<Local>,
    /// One for each instruction.
    pub roles: Vec<Role>,
}

/// An object is not split into more pieces than this: frames are copied.
const MOST_PIECES: usize = 16;
/// A piece of more slots than this stays in memory.
const MOST_SLOTS: u32 = 8;

struct Access {
    offset: i64,
    inst: u32,
    store: bool,
    ty: Type,
}

/// Looks at every alloca of the entry block.
pub fn promote(linker: &Linker, body: &Body) -> Promotion {
    let mut promotion = Promotion { locals: Vec::new(), roles: vec![Role::Plain; body.insts.len()] };
    let Some(entry) = body.blocks.first() else { return promotion };
    for index in entry.first..entry.end {
        if body.insts[index as usize].opcode == Opcode::LLVMAlloca {
            promote_one(linker, body, index, &mut promotion);
        }
    }
    find_unassigned(body, &mut promotion);
    promotion
}

/// Is it a call of a `llvm.lifetime` intrinsic; if so, of the start?
pub fn lifetime(call: Value) -> Option<bool> {
    let callee = call.called_value();
    if callee.kind() != ValueKind::LLVMFunctionValueKind {
        return None;
    }
    let rest = callee.name().strip_prefix("llvm.lifetime.")?;
    Some(rest.starts_with("start"))
}

/// Sum of a GEP's offsets if all its indices are constant.
pub fn constant_offset(linker: &Linker, gep: Value) -> Option<i64> {
    if gep.ty().is_vector() {
        return None;
    }
    let mut offset = 0_i64;
    let mut ty = gep.gep_source_type();
    for position in 1..gep.operand_count() {
        let index = gep.operand(position);
        if index.kind() != ValueKind::LLVMConstantIntValueKind || index.ty().int_bits() > 64 {
            return None;
        }
        let number = sign_extend(index.int(), index.ty().int_bits());
        offset = offset.wrapping_add(linker.step(&mut ty, position == 1, number));
    }
    Some(offset)
}

fn promote_one(linker: &Linker, body: &Body, alloca: u32, promotion: &mut Promotion) -> Option<()> {
    let value = body.insts[alloca as usize].value;
    let count = value.operand(0);
    if count.kind() != ValueKind::LLVMConstantIntValueKind || count.int() != 1 {
        return None;
    }
    let size = linker.types.data().size(value.allocated_type()) as i64;
    let mut accesses = Vec::new();
    let mut gone = vec![];
    let mut births = vec![alloca];
    let mut pending = vec![(value, 0_i64)];
    while let Some((address, offset)) = pending.pop() {
        for user in address.users() {
            // A user in an unreachable block has no number and no meaning.
            let Some(inst) = body.inst(user) else { continue };
            match body.insts[inst as usize].opcode {
                Opcode::LLVMLoad => accesses.push(Access { offset, inst, store: false, ty: user.ty() }),
                Opcode::LLVMStore if user.operand(0) != address => {
                    accesses.push(Access { offset, inst, store: true, ty: user.operand(0).ty() });
                }
                Opcode::LLVMGetElementPtr if user.operand(0) == address => {
                    gone.push(inst);
                    pending.push((user, offset.checked_add(constant_offset(linker, user)?)?));
                }
                Opcode::LLVMBitCast => {
                    gone.push(inst);
                    pending.push((user, offset));
                }
                Opcode::LLVMCall => match lifetime(user)? {
                    true => births.push(inst),
                    false => gone.push(inst),
                },
                _ => return None,
            }
        }
    }
    for access in &accesses {
        let inst = body.insts[access.inst as usize].value;
        if inst.is_volatile() || inst.ordering() != LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic {
            return None;
        }
    }
    accesses.sort_by_key(|access| (access.offset, access.inst));
    let pieces: Vec<&[Access]> = accesses.chunk_by(|a, b| a.offset == b.offset).collect();
    if pieces.len() > MOST_PIECES {
        return None;
    }
    let mut end = 0;
    let mut locals = Vec::new();
    for piece in &pieces {
        let local = unify(linker, piece)?;
        let start = piece[0].offset;
        if start < end || local.layout.slots > MOST_SLOTS {
            return None;
        }
        end = start.checked_add(i64::from(local.layout.bytes))?;
        locals.push(local);
    }
    if end > size {
        return None;
    }
    let first = promotion.locals.len() as u32;
    for (piece, id) in pieces.iter().zip(first..) {
        for access in *piece {
            promotion.roles[access.inst as usize] =
                if access.store { Role::Store(id) } else { Role::Load(id) };
        }
    }
    promotion.locals.extend(locals);
    let last = promotion.locals.len() as u32;
    for inst in births {
        promotion.roles[inst as usize] = Role::Birth(first, last);
    }
    for inst in gone {
        promotion.roles[inst as usize] = Role::Gone;
    }
    Some(())
}

/// A type of slots that holds what all accesses of a piece load and store.
fn unify(linker: &Linker, accesses: &[Access]) -> Option<Local> {
    let offset = accesses[0].offset;
    let mut layouts: Vec<Rc<Layout>> = Vec::new();
    for access in accesses {
        let layout = linker.types.layout(access.ty);
        if layout.unsupported || layout.bit_packed || layout.leaves.is_empty() {
            return None;
        }
        layouts.push(layout);
    }
    let first = layouts[0].clone();
    let is_i64 = |layout: &Layout| layout.scalar() == Some(Leaf::Int(64));
    if layouts.iter().all(|layout| layout.leaves == first.leaves) {
        let pointer = first.scalar() == Some(Leaf::Ptr);
        let plain_i64 = is_i64(&first);
        return Some(Local { offset, layout: first, pointer, plain_i64, needs_undefined: false });
    }
    // Different types are fine as long as each is one whole scalar of the same size.
    let bytes = first.bytes;
    let whole = |leaf: Leaf| match leaf {
        Leaf::Int(bits) => bits <= 64 && bits == bytes * 8,
        Leaf::Ptr => bytes == 8,
        Leaf::Float(FloatFormat::X87 | FloatFormat::Quad) => false,
        Leaf::Float(format) => format.bytes() == bytes,
    };
    if !layouts.iter().all(|layout| layout.bytes == bytes && layout.scalar().is_some_and(whole)) {
        return None;
    }
    let with_pointer = layouts.iter().find(|layout| layout.scalar() == Some(Leaf::Ptr)).cloned();
    let pointer = with_pointer.is_some();
    let layout = with_pointer.unwrap_or(first);
    Some(Local { offset, layout, pointer, plain_i64: false, needs_undefined: false })
}

/// Forward must-analysis: which locals are written on every path to a block.
fn find_unassigned(body: &Body, promotion: &mut Promotion) {
    let words = promotion.locals.len().div_ceil(64);
    if words == 0 {
        return;
    }
    let blocks = body.blocks.len();
    let mut entering = vec![u64::MAX; blocks * words];
    entering[..words].fill(0);
    let mut state = vec![0_u64; words];
    let mut changed = true;
    while changed {
        changed = false;
        for (index, block) in body.blocks.iter().enumerate() {
            state.copy_from_slice(&entering[index * words..][..words]);
            for inst in block.first..block.end {
                step(promotion.roles[inst as usize], &mut state);
            }
            for &next in &block.successors {
                let target = &mut entering[next as usize * words..][..words];
                for (old, new) in target.iter_mut().zip(&state) {
                    changed |= *old & !new != 0;
                    *old &= new;
                }
            }
        }
    }
    for (index, block) in body.blocks.iter().enumerate() {
        state.copy_from_slice(&entering[index * words..][..words]);
        for inst in block.first..block.end {
            let role = promotion.roles[inst as usize];
            if let Role::Load(local) = role
                && state[local as usize / 64] >> (local % 64) & 1 == 0
            {
                promotion.locals[local as usize].needs_undefined = true;
            }
            step(role, &mut state);
        }
    }
}

fn step(role: Role, state: &mut [u64]) {
    match role {
        Role::Store(local) => state[local as usize / 64] |= 1 << (local % 64),
        Role::Birth(first, last) => {
            for local in first..last {
                state[local as usize / 64] &= !(1 << (local % 64));
            }
        }
        _ => {}
    }
}
