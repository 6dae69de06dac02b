//! A function as the lowering goes through it: its reachable blocks in reverse postorder and their instructions,
//! numbered.

use crate::Site;
use crate::llvm::{Block, Opcode, Value};
use rustc_hash::FxHashMap;

/// Number of a parameter or an instruction: parameters come first.
pub type ValueId = u32;

/// An instruction.
#[derive(Clone, Copy)]
pub struct Inst {
    pub value: Value,
    pub opcode: Opcode,
    pub block: u32,
    /// Where it stands in the bitcode.
    pub site: Site,
}

/// A basic block.
pub struct BodyBlock {
    pub block: Block,
    /// Range of its instructions in [`Body::insts`].
    pub first: u32,
    pub end: u32,
    /// How many of them are phis.
    pub phis: u32,
    /// Distinct successors.
    pub successors: Vec<u32>,
}

/// A function.
pub struct Body {
    pub parameters: u32,
    pub blocks: Vec<BodyBlock>,
    pub insts: Vec<Inst>,
    ids: FxHashMap<Value, ValueId>,
    block_ids: FxHashMap<Block, u32>,
}

impl Body {
    /// Numbers what can be reached from the entry.
    pub fn new(function: Value) -> Self {
        let order = reverse_postorder(function);
        let numbers: FxHashMap<Block, u32> = function.blocks().zip(0..).collect();
        let block_ids: FxHashMap<Block, u32> =
            order.iter().zip(0..).map(|(&block, id)| (block, id)).collect();
        let mut ids = FxHashMap::default();
        for parameter in function.parameters() {
            ids.insert(parameter, ids.len() as u32);
        }
        let parameters = ids.len() as u32;
        let mut insts = Vec::new();
        let mut blocks = Vec::with_capacity(order.len());
        for (index, &block) in order.iter().enumerate() {
            let first = insts.len() as u32;
            let mut phis = 0;
            for (instruction, value) in (0..).zip(block.instructions()) {
                let opcode = value.opcode();
                phis += u32::from(opcode == Opcode::LLVMPHI);
                ids.insert(value, parameters + insts.len() as u32);
                let site = Site { block: numbers[&block], instruction };
                insts.push(Inst { value, opcode, block: index as u32, site });
            }
            let mut successors: Vec<u32> = successors(block).map(|next| block_ids[&next]).collect();
            successors.sort_unstable();
            successors.dedup();
            blocks.push(BodyBlock { block, first, end: insts.len() as u32, phis, successors });
        }
        Body { parameters, blocks, insts, ids, block_ids }
    }

    /// Number of a parameter or a reachable instruction; `None` for constants.
    pub fn id(&self, value: Value) -> Option<ValueId> {
        self.ids.get(&value).copied()
    }

    /// Index of the instruction with that number; `None` for a parameter.
    pub fn inst_of(&self, id: ValueId) -> Option<u32> {
        id.checked_sub(self.parameters)
    }

    /// Index of an instruction; `None` for anything else.
    pub fn inst(&self, value: Value) -> Option<u32> {
        self.id(value).and_then(|id| self.inst_of(id))
    }

    /// Number of an instruction's value.
    pub fn value_id(&self, inst: u32) -> ValueId {
        self.parameters + inst
    }

    /// Number of parameters and instructions together.
    pub fn value_count(&self) -> usize {
        self.parameters as usize + self.insts.len()
    }

    /// Which blocks lie between the head of a loop and a jump back to it.
    pub fn loops(&self) -> Vec<bool> {
        let mut inside = vec![false; self.blocks.len()];
        for (index, block) in self.blocks.iter().enumerate() {
            for &head in block.successors.iter().filter(|&&next| next as usize <= index) {
                inside[head as usize..=index].fill(true);
            }
        }
        inside
    }

    /// Index of a block, if it is reachable.
    pub fn block(&self, block: Block) -> Option<u32> {
        self.block_ids.get(&block).copied()
    }
}

fn successors(block: Block) -> impl DoubleEndedIterator<Item = Block> {
    let terminator = block.terminator();
    (0..terminator.successor_count()).map(move |index| terminator.successor(index))
}

/// Visits the first successor last, so that it follows its block directly where that is possible.
fn reverse_postorder(function: Value) -> Vec<Block> {
    let Some(entry) = function.blocks().next() else {
        return Vec::new();
    };
    let mut seen: FxHashMap<Block, ()> = FxHashMap::default();
    let mut order = Vec::new();
    seen.insert(entry, ());
    let mut stack = vec![(entry, successors(entry).rev().collect::<Vec<_>>(), 0)];
    while let Some((block, next, position)) = stack.last_mut() {
        let Some(&successor) = next.get(*position) else {
            order.push(*block);
            stack.pop();
            continue;
        };
        *position += 1;
        if seen.insert(successor, ()).is_none() {
            stack.push((successor, successors(successor).rev().collect(), 0));
        }
    }
    order.reverse();
    order
}
