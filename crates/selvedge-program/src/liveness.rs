//! Liveness: which slots of a frame still matter at an operation.
//!
//! A slot is live where some path through the rest of the function reads it before writing it. After states that differ
//! in dead slots only the same can happen, so dead slots must not enter a state's hash.
//!
//! Sets are kept per block, and only over the slots that are carried from one block to another: most slots are
//! temporaries of a single block. The set at an operation is worked out on demand, backwards from the end of its block.

use crate::code::{Function, IntrinsicKind, Op, Slot, Target};
use crate::operands::Use;

/// Marks a slot that is not carried.
const NOT_CARRIED: u32 = u32::MAX;

/// The live slots of one function. Belongs to the function that it was made from, which the questions take
/// again: it keeps no reference, so that it can be stored anywhere.
#[derive(Clone, Debug)]
pub struct Liveness {
    /// First operation of every block, ascending.
    starts: Box<[Target]>,
    /// The carried slots, ascending: bit `n` of a block's set stands for the `n`th of them.
    carried: Box<[Slot]>,
    /// The slots that are live at the start of every block, one set of `carried.len()` bits after the other.
    live_in: Box<[u64]>,
    /// Calls of `setjmp`: every call in the function may end there.
    set_jumps: Box<[Target]>,
}

/// A set of slots of a frame.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SlotSet {
    words: Box<[u64]>,
}

impl SlotSet {
    fn new(slots: u32) -> Self {
        SlotSet { words: vec![0; slots.div_ceil(64) as usize].into() }
    }

    /// The set as bits: slot `n` is bit `n % 64` of word `n / 64`.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Whether the slot is in the set.
    pub fn contains(&self, slot: Slot) -> bool {
        self.words.get(slot as usize / 64).is_some_and(|word| word >> (slot % 64) & 1 == 1)
    }

    /// The slots, ascending.
    pub fn iter(&self) -> impl Iterator<Item = Slot> + '_ {
        bits(&self.words)
    }

    fn insert_range(&mut self, slot: Slot, count: u32) {
        (slot..slot + count).for_each(|slot| insert(&mut self.words, slot));
    }

    fn remove_range(&mut self, slot: Slot, count: u32) {
        (slot..slot + count).for_each(|slot| self.words[slot as usize / 64] &= !(1 << (slot % 64)));
    }
}

fn insert(words: &mut [u64], bit: u32) {
    words[bit as usize / 64] |= 1 << (bit % 64);
}

fn bits(words: &[u64]) -> impl Iterator<Item = u32> + '_ {
    words.iter().enumerate().flat_map(|(index, &word)| {
        let rest = std::iter::successors(Some(word), |rest| Some(rest & rest.wrapping_sub(1)));
        rest.take_while(|&rest| rest != 0).map(move |rest| index as u32 * 64 + rest.trailing_zeros())
    })
}

impl Liveness {
    /// Analyses a function, which must be valid ([`crate::validate()`]).
    pub fn new(function: &Function) -> Self {
        let set_jumps = set_jumps(function);
        let starts = block_starts(function, !set_jumps.is_empty());
        let carried = carried_slots(function, &starts);
        let words = carried.len().div_ceil(64);
        let live_in = vec![0; words * starts.len()].into();
        let mut liveness = Liveness { starts, carried, live_in, set_jumps };
        liveness.solve(function);
        liveness
    }

    /// The slots whose values matter when the operation at `at` is about to be executed.
    pub fn live_before(&self, function: &Function, at: Target) -> SlotSet {
        let end = self.end(function, self.block(at));
        let mut live = self.live_across_end(function, end - 1);
        for index in (at..end).rev() {
            let op = &function.code[index as usize];
            // The writes of the last operation are dealt with already.
            if index + 1 != end {
                remove_writes(function, op, &mut live);
            }
            op.operands(function, &mut |kind, slot, count| {
                if kind == Use::Read {
                    live.insert_range(slot, count);
                }
            });
        }
        live
    }

    /// The slots whose values matter during the operation at `at`: it has its operands and has not yet written its
    /// result. This is what a frame keeps alive while it waits for a call to return.
    pub fn live_across(&self, function: &Function, at: Target) -> SlotSet {
        if at + 1 == self.end(function, self.block(at)) {
            return self.live_across_end(function, at);
        }
        let mut live = self.live_before(function, at + 1);
        remove_writes(function, &function.code[at as usize], &mut live);
        live
    }

    /// As [`Liveness::live_across`], for the last operation of a block.
    fn live_across_end(&self, function: &Function, at: Target) -> SlotSet {
        let mut live = SlotSet::new(function.frame_slots);
        let op = &function.code[at as usize];
        if !op.is_terminator() {
            self.add_live_in(at + 1, &mut live);
            remove_writes(function, op, &mut live);
        }
        self.other_targets(function, at, &mut |target| self.add_live_in(target, &mut live));
        live
    }

    /// Adds the slots that are live at the start of a block.
    fn add_live_in(&self, start: Target, live: &mut SlotSet) {
        let words = self.words();
        let block = self.block(start);
        for bit in bits(&self.live_in[block * words..][..words]) {
            insert(&mut live.words, self.carried[bit as usize]);
        }
    }

    /// Where control may go other than to the next operation. Nothing has been written on these edges.
    fn other_targets(&self, function: &Function, at: Target, visit: &mut impl FnMut(Target)) {
        let op = &function.code[at as usize];
        op.targets(function, visit);
        if matches!(op, Op::Call { .. }) {
            self.set_jumps.iter().for_each(|&target| visit(target));
        }
    }

    fn words(&self) -> usize {
        self.carried.len().div_ceil(64)
    }

    /// The block that an operation is in.
    fn block(&self, at: Target) -> usize {
        self.starts.partition_point(|&start| start <= at) - 1
    }

    /// The operation after the last one of a block.
    fn end(&self, function: &Function, block: usize) -> Target {
        self.starts.get(block + 1).copied().unwrap_or(function.code.len() as Target)
    }

    /// Finds the sets at the starts of the blocks: the least ones with `in = read first, or live at the end and not
    /// written`, where what the last operation writes counts only on the edge to the next one.
    fn solve(&mut self, function: &Function) {
        let words = self.words();
        if words == 0 {
            return;
        }
        let blocks = self.starts.len();
        let mut position = vec![NOT_CARRIED; function.frame_slots as usize];
        for (bit, &slot) in self.carried.iter().enumerate() {
            position[slot as usize] = bit as u32;
        }
        let mut writes = vec![0u64; words * blocks];
        let mut last_writes = vec![0u64; words * blocks];
        // (first of the block's entries in `others`, whether it falls through)
        let mut ends = Vec::with_capacity(blocks + 1);
        let mut others: Vec<u32> = Vec::new();
        for block in 0..blocks {
            let end = self.end(function, block);
            let set = block * words..(block + 1) * words;
            for at in self.starts[block]..end {
                function.code[at as usize].operands(function, &mut |kind, slot, count| {
                    for &bit in &position[slot as usize..(slot + count) as usize] {
                        if bit == NOT_CARRIED {
                            continue;
                        }
                        match kind {
                            Use::Write if at + 1 == end => insert(&mut last_writes[set.clone()], bit),
                            Use::Write => insert(&mut writes[set.clone()], bit),
                            Use::Read if writes[set.start + bit as usize / 64] >> (bit % 64) & 1 == 1 => {}
                            Use::Read => insert(&mut self.live_in[set.clone()], bit),
                        }
                    }
                });
            }
            ends.push((others.len(), !function.code[end as usize - 1].is_terminator()));
            self.other_targets(function, end - 1, &mut |target| others.push(self.block(target) as u32));
        }
        ends.push((others.len(), false));
        let mut changed = true;
        while changed {
            changed = false;
            for block in (0..blocks).rev() {
                let (first, falls_through) = ends[block];
                for word in 0..words {
                    let own = block * words + word;
                    let mut out = match falls_through {
                        true => self.live_in[own + words] & !last_writes[own],
                        false => 0,
                    };
                    for &other in &others[first..ends[block + 1].0] {
                        out |= self.live_in[other as usize * words + word];
                    }
                    let live = self.live_in[own] | out & !writes[own];
                    changed |= live != self.live_in[own];
                    self.live_in[own] = live;
                }
            }
        }
    }
}

fn remove_writes(function: &Function, op: &Op, live: &mut SlotSet) {
    op.operands(function, &mut |kind, slot, count| {
        if kind == Use::Write {
            live.remove_range(slot, count);
        }
    });
}

/// The operations that a `longjmp` may return to.
fn set_jumps(function: &Function) -> Box<[Target]> {
    let is_set_jump = |op: &Op| match *op {
        Op::Intrinsic { index } => function.intrinsics[index as usize].kind == IntrinsicKind::SetJump,
        _ => false,
    };
    let numbered = (0..).zip(&function.code);
    numbered.filter(|(_, op)| is_set_jump(op)).map(|(at, _)| at).collect()
}

/// The first operation, every target, and what follows an operation with targets. If the function calls
/// `setjmp`, those calls and what follows any call too.
fn block_starts(function: &Function, jumps: bool) -> Box<[Target]> {
    let mut starts = vec![false; function.code.len() + 1];
    starts[0] = true;
    for (at, op) in function.code.iter().enumerate() {
        let mut ends = op.is_terminator() || jumps && matches!(op, Op::Call { .. });
        op.targets(function, &mut |target| {
            ends = true;
            starts[target as usize] = true;
        });
        starts[at + 1] |= ends;
    }
    if jumps {
        set_jumps(function).iter().for_each(|&at| starts[at as usize] = true);
    }
    let numbered = (0..function.code.len() as Target).zip(starts);
    numbered.filter(|&(_, starts)| starts).map(|(at, _)| at).collect()
}

/// The slots that some block reads before it writes them: no other can be live where a block starts.
fn carried_slots(function: &Function, starts: &[Target]) -> Box<[Slot]> {
    let mut written_in = vec![0u32; function.frame_slots as usize];
    let mut carried = vec![false; function.frame_slots as usize];
    let mut block = 0;
    for (at, op) in (0..).zip(&function.code) {
        if starts.get(block as usize) == Some(&at) {
            block += 1;
        }
        op.operands(function, &mut |kind, slot, count| {
            for slot in slot as usize..(slot + count) as usize {
                match kind {
                    Use::Read => carried[slot] |= written_in[slot] != block,
                    Use::Write => written_in[slot] = block,
                }
            }
        });
    }
    let numbered = (0..function.frame_slots).zip(carried);
    numbered.filter(|&(_, carried)| carried).map(|(slot, _)| slot).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::{Call, Callee, FloatFormat, Intrinsic, LandingPad, Leaf};

    /// One line for every operation: the slots that are live before it.
    fn check(function: Function, expected: &[&[Slot]]) {
        let liveness = Liveness::new(&function);
        for (at, &expected) in (0..function.code.len() as Target).zip(expected) {
            let found = liveness.live_before(&function, at);
            assert_eq!(found.iter().collect::<Vec<_>>(), expected, "before {at}");
            assert!(expected.iter().all(|&slot| found.contains(slot)));
        }
        assert_eq!(function.code.len(), expected.len());
    }

    fn function(frame_slots: u32, code: &[Op]) -> Function {
        Function { frame_slots, code: code.into(), ..Function::default() }
    }

    fn call(result: &[Leaf], unwind: Option<Target>) -> Box<[Call]> {
        let (callee, result) = (Callee::External(0), result.into());
        Box::new([Call {
            callee,
            args: Box::new([]),
            slots: Box::new([]),
            fixed: 0,
            dst: 0,
            result,
            unwind,
            tail: false,
            exact: false,
        }])
    }

    #[test]
    fn straight_line() {
        check(
            function(
                4,
                &[
                    Op::Const { dst: 2, value: 1 },
                    Op::Add32 { dst: 3, a: 0, b: 2 },
                    Op::Return { src: 3, count: 1 },
                ],
            ),
            &[&[0], &[0, 2], &[3]],
        );
    }

    #[test]
    fn loops_carry_slots() {
        check(
            function(
                101,
                &[
                    Op::Const { dst: 1, value: 0 },
                    Op::BranchUnless { cond: 100, target: 5 },
                    Op::Add64 { dst: 1, a: 1, b: 100 },
                    Op::AddImm64 { dst: 100, a: 100, imm: -1 },
                    Op::Jump { target: 1 },
                    Op::Return { src: 1, count: 1 },
                ],
            ),
            &[&[100], &[1, 100], &[1, 100], &[1, 100], &[1, 100], &[1]],
        );
    }

    #[test]
    fn conditional_move_keeps_its_destination() {
        check(
            function(4, &[Op::MoveIf { count: 1, dst: 0, cond: 1, src: 2 }, Op::Return { src: 0, count: 1 }]),
            &[&[0, 1, 2], &[0]],
        );
    }

    #[test]
    fn result_is_not_written_when_unwinding() {
        let unwinding = Function {
            calls: call(&[Leaf::Int(32)], Some(2)),
            landing_pads: Box::new([LandingPad { dst: 2, clauses: Box::new([]), cleanup: true }]),
            ..function(
                5,
                &[
                    Op::Call { index: 0 },
                    Op::Return { src: 0, count: 1 },
                    Op::LandingPad { index: 0 },
                    Op::Return { src: 0, count: 1 },
                ],
            )
        };
        check(unwinding.clone(), &[&[0], &[0], &[0], &[0]]);
        let returning = Function { calls: call(&[Leaf::Int(32)], None), ..unwinding };
        check(returning, &[&[], &[0], &[0], &[0]]);
    }

    #[test]
    fn calls_return_to_set_jump() {
        let jumping = Function {
            calls: call(&[], None),
            intrinsics: Box::new([Intrinsic {
                kind: IntrinsicKind::SetJump,
                width: 32,
                result_width: 32,
                format: FloatFormat::Single,
                dst: 2,
                args: Box::new([0]),
            }]),
            ..function(
                4,
                &[
                    Op::Intrinsic { index: 0 },
                    Op::BranchIf { cond: 2, target: 4 },
                    Op::Call { index: 0 },
                    Op::Return { src: 0, count: 0 },
                    Op::Return { src: 3, count: 1 },
                ],
            )
        };
        // Slot 3 is read only after the second return, slots 0 and 1 are the jump buffer.
        check(jumping, &[&[0, 1, 3], &[0, 1, 2, 3], &[0, 1, 3], &[], &[3]]);
    }

    #[test]
    fn waiting_frames() {
        let function = Function {
            calls: call(&[Leaf::Int(32)], None),
            ..function(
                3,
                &[Op::Call { index: 0 }, Op::Add32 { dst: 0, a: 0, b: 2 }, Op::Return { src: 0, count: 1 }],
            )
        };
        let liveness = Liveness::new(&function);
        assert_eq!(liveness.live_across(&function, 0).iter().collect::<Vec<_>>(), [2]);
        assert_eq!(liveness.live_across(&function, 2).words(), [0]);
    }

    /// The same question answered without blocks: sets at every operation, until nothing changes.
    fn by_operation(function: &Function) -> Vec<Vec<Slot>> {
        let mut live = vec![SlotSet::new(function.frame_slots); function.code.len()];
        loop {
            let before = live.clone();
            for (at, op) in function.code.iter().enumerate() {
                let mut set = SlotSet::new(function.frame_slots);
                if !op.is_terminator() {
                    set.words.copy_from_slice(&live[at + 1].words);
                }
                remove_writes(function, op, &mut set);
                op.targets(function, &mut |target| {
                    live[target as usize].iter().for_each(|slot| insert(&mut set.words, slot));
                });
                op.operands(function, &mut |kind, slot, count| {
                    if kind == Use::Read {
                        set.insert_range(slot, count);
                    }
                });
                live[at] = set;
            }
            if live == before {
                return live.iter().map(|set| set.iter().collect()).collect();
            }
        }
    }

    #[test]
    fn random_code_agrees_with_the_simple_analysis() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = |bound: u32| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 33) as u32 % bound
        };
        for _ in 0..300 {
            let (len, frame) = (1 + random(30), 3 + random(100));
            let mut code: Vec<Op> = (0..len)
                .map(|_| {
                    let [dst, a, b] = [0; 3].map(|_| random(frame - 1));
                    match random(8) {
                        0 => Op::Const { dst, value: 1 },
                        1 => Op::Add64 { dst, a, b },
                        2 => Op::PtrAdd { dst, base: a, a: b },
                        3 => Op::MoveIf { count: 2, dst, cond: a, src: b },
                        4 => Op::BranchIf { cond: a, target: random(len) },
                        5 => Op::Jump { target: random(len) },
                        6 => Op::Call { index: 0 },
                        _ => Op::Undefined { dst, count: 2 },
                    }
                })
                .collect();
            code.push(Op::Return { src: random(frame), count: 1 });
            let unwind = [None, Some(random(len))][random(2) as usize];
            let function = Function { calls: call(&[Leaf::Ptr], unwind), ..function(frame, &code) };
            let expected = by_operation(&function);
            check(function, &expected.iter().map(Vec::as_slice).collect::<Vec<_>>());
        }
    }
}
