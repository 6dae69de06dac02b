//! The code of one function while it is emitted: operations, side tables, labels, slots of the frame.

use super::arithmetic::negated;
use crate::Site;
use crate::code::*;

/// A place in the code that is not known yet. While code is emitted, targets hold labels.
pub type Label = u32;

/// Slots of a frame: handed out, given back, handed out again.
#[derive(Default)]
pub struct Frame {
    /// Slots in all.
    pub size: u32,
    /// Free runs of 1, 2, ... slots.
    free: Vec<Vec<Slot>>,
}

impl Frame {
    /// Takes so many adjacent slots.
    pub fn take(&mut self, count: u32) -> Slot {
        if count == 0 {
            return 0;
        }
        if let Some(slot) = self.free.get_mut(count as usize - 1).and_then(Vec::pop) {
            return slot;
        }
        // A longer run is better cut than left idle.
        let longer = (count as usize..self.free.len().min(count as usize + 4))
            .find(|&index| !self.free[index].is_empty());
        if let Some(index) = longer
            && let Some(slot) = self.free[index].pop()
        {
            self.give(slot + count, index as u32 + 1 - count);
            return slot;
        }
        let slot = self.size;
        self.size += count;
        slot
    }

    /// Takes adjacent slots that nothing has used and, if they are not given back, nothing else will.
    pub fn take_fresh(&mut self, count: u32) -> Slot {
        self.size += count;
        self.size - count
    }

    /// Gives slots back.
    pub fn give(&mut self, slot: Slot, count: u32) {
        if count == 0 {
            return;
        }
        if self.free.len() < count as usize {
            self.free.resize_with(count as usize, Vec::new);
        }
        self.free[count as usize - 1].push(slot);
    }
}

/// The code so far.
#[derive(Default)]
pub struct Code {
    pub ops: Vec<Op>,
    pub op_positions: Vec<u32>,
    /// Position of the operations that are emitted next.
    pub position: u32,
    /// For each operation the instruction that it is made from.
    op_sites: Vec<Site>,
    /// Of the operations that are emitted next.
    pub site: Site,
    labels: Vec<Target>,
    /// Operations to be put in front of all others.
    prologue: Vec<Op>,
    pub frame: Frame,
    pub atomics: Vec<Atomic>,
    pub accesses: Vec<Access>,
    pub allocas: Vec<Alloca>,
    pub wides: Vec<Wide>,
    pub extended_floats: Vec<ExtendedFloat>,
    pub repacks: Vec<Repack>,
    pub intrinsics: Vec<Intrinsic>,
    pub switches: Vec<Switch>,
    pub calls: Vec<Call>,
    pub landing_pads: Vec<LandingPad>,
    pub blocks_taken: Vec<Label>,
    pub unsupported: Vec<Box<str>>,
}

const UNPLACED: Target = Target::MAX;

impl Code {
    /// Appends an operation.
    pub fn emit(&mut self, op: Op) {
        self.ops.push(op);
        self.op_positions.push(self.position);
        self.op_sites.push(self.site);
    }

    /// A label that is not placed yet.
    pub fn label(&mut self) -> Label {
        self.labels.push(UNPLACED);
        self.labels.len() as Label - 1
    }

    /// The label stands for the next operation.
    pub fn place(&mut self, label: Label) {
        self.labels[label as usize] = self.ops.len() as Target;
    }

    /// Lets an operation run once, before all others.
    pub fn emit_first(&mut self, op: Op) {
        self.prologue.push(op);
    }

    /// A jump. If it leads to a branch that is emitted already (the head of a loop), the branch is made here, with its
    /// targets exchanged, which saves the jump. `next` is what follows here anyway.
    pub fn jump(&mut self, target: Label, next: Option<Label>) {
        let place = self.labels[target as usize];
        let branch = if place == UNPLACED { None } else { self.ops.get(place as usize).copied() };
        let around = match branch {
            Some(
                Op::BranchIf { target, .. }
                | Op::BranchUnless { target, .. }
                | Op::BranchCompare { target, .. }
                | Op::BranchCompareImm { target, .. },
            ) => target,
            _ => {
                self.emit(Op::Jump { target });
                return;
            }
        };
        self.labels.push(place + 1);
        let target = self.labels.len() as Label - 1;
        let position = std::mem::replace(&mut self.position, self.op_positions[place as usize]);
        let site = std::mem::replace(&mut self.site, self.op_sites[place as usize]);
        match branch {
            Some(Op::BranchIf { cond, .. }) => self.emit(Op::BranchUnless { cond, target }),
            Some(Op::BranchUnless { cond, .. }) => self.emit(Op::BranchIf { cond, target }),
            Some(Op::BranchCompare { kind, a, b, .. }) => {
                self.emit(Op::BranchCompare { kind: negated(kind), a, b, target });
            }
            Some(Op::BranchCompareImm { kind, width, a, imm, .. }) => {
                self.emit(Op::BranchCompareImm { kind: negated(kind), width, a, imm, target });
            }
            _ => {}
        }
        if next != Some(around) {
            self.emit(Op::Jump { target: around });
        }
        self.position = position;
        self.site = site;
    }

    /// Copies slots.
    pub fn copy(&mut self, dst: Slot, src: Slot, count: u32) {
        match count {
            _ if dst == src => {}
            0 => {}
            1 => self.emit(Op::Move { dst, src }),
            _ => self.emit(Op::MoveMany { dst, src, count }),
        }
    }

    pub fn unsupported(&mut self, what: impl Into<Box<str>>) {
        self.unsupported.push(what.into());
        self.emit(Op::Unsupported { index: self.unsupported.len() as u32 - 1 });
    }

    pub fn atomic(&mut self, atomic: Atomic) {
        self.atomics.push(atomic);
        self.emit(Op::Atomic { index: self.atomics.len() as u32 - 1 });
    }

    pub fn load_many(&mut self, access: Access) {
        self.accesses.push(access);
        self.emit(Op::LoadMany { index: self.accesses.len() as u32 - 1 });
    }

    pub fn store_many(&mut self, access: Access) {
        self.accesses.push(access);
        self.emit(Op::StoreMany { index: self.accesses.len() as u32 - 1 });
    }

    pub fn wide(&mut self, wide: Wide) {
        self.wides.push(wide);
        self.emit(Op::Wide { index: self.wides.len() as u32 - 1 });
    }

    pub fn extended_float(&mut self, op: ExtendedFloat) {
        self.extended_floats.push(op);
        self.emit(Op::ExtendedFloat { index: self.extended_floats.len() as u32 - 1 });
    }

    pub fn repack(&mut self, repack: Repack) {
        self.repacks.push(repack);
        self.emit(Op::Repack { index: self.repacks.len() as u32 - 1 });
    }

    pub fn intrinsic(&mut self, intrinsic: Intrinsic) {
        self.intrinsics.push(intrinsic);
        self.emit(Op::Intrinsic { index: self.intrinsics.len() as u32 - 1 });
    }

    pub fn switch(&mut self, switch: Switch) {
        self.switches.push(switch);
        self.emit(Op::Switch { index: self.switches.len() as u32 - 1 });
    }

    pub fn call(&mut self, call: Call) {
        self.calls.push(call);
        self.emit(Op::Call { index: self.calls.len() as u32 - 1 });
    }

    /// Replaces labels by places and makes the function.
    pub fn finish(mut self) -> Function {
        let first = self.prologue.len() as Target;
        let labels: Vec<Target> = self.labels.iter().map(|place| place.wrapping_add(first)).collect();
        self.ops.splice(0..0, std::mem::take(&mut self.prologue));
        self.op_positions.splice(0..0, std::iter::repeat_n(0, first as usize));
        self.op_sites.splice(0..0, std::iter::repeat_n(Site::NONE, first as usize));
        let resolve = |target: &mut Target| *target = labels[*target as usize];
        for op in &mut self.ops {
            match op {
                Op::Jump { target }
                | Op::BranchIf { target, .. }
                | Op::BranchUnless { target, .. }
                | Op::BranchCompare { target, .. }
                | Op::BranchCompareImm { target, .. } => resolve(target),
                _ => {}
            }
        }
        for switch in &mut self.switches {
            resolve(&mut switch.default);
            switch.cases.iter_mut().for_each(|(_, target)| resolve(target));
        }
        self.calls.iter_mut().filter_map(|call| call.unwind.as_mut()).for_each(resolve);
        self.blocks_taken.iter_mut().for_each(resolve);
        Function {
            frame_slots: self.frame.size,
            code: self.ops.into(),
            positions: self.op_positions.into(),
            sites: self.op_sites.into(),
            atomics: self.atomics.into(),
            accesses: self.accesses.into(),
            allocas: self.allocas.into(),
            wides: self.wides.into(),
            extended_floats: self.extended_floats.into(),
            repacks: self.repacks.into(),
            intrinsics: self.intrinsics.into(),
            switches: self.switches.into(),
            calls: self.calls.into(),
            landing_pads: self.landing_pads.into(),
            blocks_taken: self.blocks_taken.into(),
            unsupported: self.unsupported.into(),
            ..Function::default()
        }
    }
}
