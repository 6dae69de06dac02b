//! From where to where each value needs its slots, so that values which never meet can share them.
//!
//! Instructions are numbered in the order in which they are emitted. A value's interval is one stretch of that
//! order which contains every place where the value may still be read, and every place where it is written. Two
//! values with disjoint intervals may have the same slots.

use super::body::{Body, ValueId};
use super::plan::Form;
use crate::llvm::{Opcode, Value};
use crate::promote::{Promotion, Role};

/// What has slots: a value, or a promoted local.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holder {
    Value(ValueId),
    Local(u32),
}

/// From the first to the last instruction, both included.
#[derive(Clone, Copy, Debug)]
pub struct Interval {
    pub holder: Holder,
    pub start: u32,
    pub end: u32,
}

/// The intervals of all values that have slots of their own (not the parameters') and of all locals.
pub fn intervals(body: &Body, promotion: &Promotion, forms: &[Form]) -> Vec<Interval> {
    let mut finder = Finder::new(body, promotion, forms);
    finder.scan();
    finder.spread();
    finder.finish()
}

struct Finder<'b> {
    body: &'b Body,
    promotion: &'b Promotion,
    forms: &'b [Form],
    /// First and last place of each holder: values, then locals.
    reach: Vec<(u32, u32)>,
    /// For each holder that lives across blocks, its bit in the sets below, else `NONE`.
    bits: Vec<u32>,
    crossing: Vec<u32>,
    words: usize,
    /// Holders that a block reads before it writes them, and those that it writes.
    reads: Vec<u64>,
    writes: Vec<u64>,
    entering: Vec<u64>,
    leaving: Vec<u64>,
}

const NONE: u32 = u32::MAX;

/// What an instruction does to holders.
enum Touch {
    Read(u32),
    Write(u32),
    /// Written here on some edge only: what it held before is still good on the others.
    Assign(u32),
    /// Read on the edge to a successor.
    ReadOnEdge(u32),
}

impl<'b> Finder<'b> {
    fn new(body: &'b Body, promotion: &'b Promotion, forms: &'b [Form]) -> Self {
        let holders = body.value_count() + promotion.locals.len();
        Finder {
            body,
            promotion,
            forms,
            reach: vec![(u32::MAX, 0); holders],
            bits: vec![NONE; holders],
            crossing: Vec::new(),
            words: 0,
            reads: Vec::new(),
            writes: Vec::new(),
            entering: Vec::new(),
            leaving: Vec::new(),
        }
    }

    fn local(&self, local: u32) -> u32 {
        self.body.value_count() as u32 + local
    }

    /// The holder in whose slots a value is.
    fn holder(&self, value: Value) -> Option<u32> {
        let mut id = self.body.id(value)?;
        loop {
            let inst = self.body.inst_of(id)?;
            match self.forms[inst as usize] {
                Form::Own => return Some(id),
                Form::Alias { of, .. } | Form::Offset { of, .. } | Form::Update { of } => id = of,
                Form::Local(local) | Form::Into(local) => return Some(self.local(local)),
                Form::Fused => return None,
            }
        }
    }

    /// Calls back for everything that an instruction touches, in order.
    fn touches(&self, inst: u32, each: &mut impl FnMut(Touch)) {
        let body = self.body;
        let known = body.insts[inst as usize];
        match self.promotion.roles[inst as usize] {
            Role::Gone => return,
            Role::Load(local) => {
                each(Touch::Read(self.local(local)));
                if self.forms[inst as usize] == Form::Own {
                    each(Touch::Write(body.value_id(inst)));
                }
                return;
            }
            Role::Store(local) => {
                if let Some(stored) = self.holder(known.value.operand(0)) {
                    each(Touch::Read(stored));
                }
                each(Touch::Write(self.local(local)));
                return;
            }
            Role::Birth(first, last) => {
                for local in first..last {
                    if self.promotion.locals[local as usize].needs_undefined {
                        each(Touch::Write(self.local(local)));
                    }
                }
                return;
            }
            Role::Plain => {}
        }
        if known.opcode == Opcode::LLVMPHI {
            each(Touch::Write(body.value_id(inst)));
            return;
        }
        self.reads(known.value, each);
        match self.forms[inst as usize] {
            Form::Own => each(Touch::Write(body.value_id(inst))),
            Form::Update { .. } => {
                if let Some(holder) = self.holder(known.value) {
                    each(Touch::Write(holder));
                }
            }
            Form::Into(local) => each(Touch::Write(self.local(local))),
            _ => {}
        }
    }

    /// Operands, and those of the comparison that a branch makes.
    fn reads(&self, value: Value, each: &mut impl FnMut(Touch)) {
        for operand in value.operands() {
            let Some(id) = self.body.id(operand) else { continue };
            let fused = self.body.inst_of(id).is_some_and(|inst| self.forms[inst as usize] == Form::Fused);
            if fused {
                self.reads(operand, each);
            } else if let Some(holder) = self.holder(operand) {
                each(Touch::Read(holder));
            }
        }
    }

    /// What the edges out of a block read and assign: phis, and landing pads.
    fn edges(&self, block: u32, each: &mut impl FnMut(Touch)) {
        let origin = self.body.blocks[block as usize].block;
        for &next in &self.body.blocks[block as usize].successors {
            let successor = &self.body.blocks[next as usize];
            for inst in successor.first..successor.first + successor.phis {
                let phi = self.body.insts[inst as usize].value;
                if let Some((value, _)) = phi.incoming().find(|(_, from)| *from == origin)
                    && let Some(holder) = self.holder(value)
                {
                    each(Touch::ReadOnEdge(holder));
                }
                each(Touch::Assign(self.body.value_id(inst)));
            }
            let pad = successor.first + successor.phis;
            if self.body.insts[pad as usize].opcode == Opcode::LLVMLandingPad {
                each(Touch::Assign(self.body.value_id(pad)));
            }
        }
    }

    /// Notes all places, and which holders are touched in more than one block.
    fn scan(&mut self) {
        let mut homes = vec![NONE; self.reach.len()];
        let mut crossing = Vec::new();
        let mut reach = std::mem::take(&mut self.reach);
        for (index, block) in (0_u32..).zip(&self.body.blocks) {
            let mut note = |holder: u32, at: u32, crosses: bool| {
                let span = &mut reach[holder as usize];
                *span = (span.0.min(at), span.1.max(at));
                let home = &mut homes[holder as usize];
                if crosses || *home != NONE && *home != index {
                    crossing.push(holder);
                }
                *home = index;
            };
            for inst in block.first..block.end {
                self.touches(inst, &mut |touch| match touch {
                    Touch::Read(holder) | Touch::Write(holder) => note(holder, inst, false),
                    Touch::Assign(holder) | Touch::ReadOnEdge(holder) => note(holder, inst, true),
                });
            }
            self.edges(index, &mut |touch| match touch {
                Touch::Read(holder) | Touch::Write(holder) => note(holder, block.end - 1, false),
                Touch::Assign(holder) | Touch::ReadOnEdge(holder) => note(holder, block.end - 1, true),
            });
        }
        for holder in crossing {
            if self.bits[holder as usize] == NONE {
                self.bits[holder as usize] = self.crossing.len() as u32;
                self.crossing.push(holder);
            }
        }
        // A local may be read on a path around a loop within its one block.
        for local in 0..self.promotion.locals.len() as u32 {
            let holder = self.local(local);
            if self.bits[holder as usize] == NONE {
                self.bits[holder as usize] = self.crossing.len() as u32;
                self.crossing.push(holder);
            }
        }
        self.reach = reach;
    }

    /// Finds where holders are live at the borders of blocks.
    fn spread(&mut self) {
        self.words = self.crossing.len().div_ceil(64);
        let size = self.words * self.body.blocks.len();
        let (mut reads, mut writes) = (vec![0; size], vec![0; size]);
        for (index, block) in self.body.blocks.iter().enumerate() {
            let base = index * self.words;
            let read = |bit: u32, reads: &mut [u64], writes: &[u64]| {
                let (word, mask) = (base + bit as usize / 64, 1 << (bit % 64));
                reads[word] |= mask & !writes[word];
            };
            for inst in block.first..block.end {
                self.touches(inst, &mut |touch| match touch {
                    Touch::Read(holder) | Touch::ReadOnEdge(holder) => {
                        if self.bits[holder as usize] != NONE {
                            read(self.bits[holder as usize], &mut reads, &writes);
                        }
                    }
                    Touch::Write(holder) => {
                        let bit = self.bits[holder as usize];
                        if bit != NONE {
                            writes[base + bit as usize / 64] |= 1 << (bit % 64);
                        }
                    }
                    Touch::Assign(_) => {}
                });
            }
            self.edges(index as u32, &mut |touch| {
                if let Touch::ReadOnEdge(holder) = touch
                    && self.bits[holder as usize] != NONE
                {
                    read(self.bits[holder as usize], &mut reads, &writes);
                }
            });
        }
        (self.reads, self.writes) = (reads, writes);
        (self.entering, self.leaving) = (vec![0; size], vec![0; size]);
        let mut changed = true;
        while changed {
            changed = false;
            for index in (0..self.body.blocks.len()).rev() {
                changed |= self.flow(index);
            }
        }
    }

    fn flow(&mut self, index: usize) -> bool {
        let mut changed = false;
        for word in 0..self.words {
            let at = index * self.words + word;
            let mut out = 0;
            for &next in &self.body.blocks[index].successors {
                out |= self.entering[next as usize * self.words + word];
            }
            let into = self.reads[at] | out & !self.writes[at];
            changed |= into != self.entering[at] || out != self.leaving[at];
            self.entering[at] = into;
            self.leaving[at] = out;
        }
        changed
    }

    fn finish(mut self) -> Vec<Interval> {
        for (index, block) in self.body.blocks.iter().enumerate() {
            for (set, at) in [(&self.entering, block.first), (&self.leaving, block.end - 1)] {
                for word in 0..self.words {
                    let mut bits = set[index * self.words + word];
                    while bits != 0 {
                        let bit = word * 64 + bits.trailing_zeros() as usize;
                        bits &= bits - 1;
                        let span = &mut self.reach[self.crossing[bit] as usize];
                        *span = (span.0.min(at), span.1.max(at));
                    }
                }
            }
        }
        let values = self.body.value_count();
        let mut found = Vec::new();
        for (index, &(start, end)) in self.reach.iter().enumerate().skip(self.body.parameters as usize) {
            if start == u32::MAX {
                continue;
            }
            let holder = match index.checked_sub(values) {
                Some(local) => Holder::Local(local as u32),
                None => Holder::Value(index as ValueId),
            };
            found.push(Interval { holder, start, end });
        }
        found
    }
}
