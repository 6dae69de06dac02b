//! What becomes of the result of an atomic operation, as far as the few operations that follow it show.
//!
//! Of the result of an addition often nothing is left but how it compares with some constant: a count of references is
//! like that. Two such additions commute if neither comparison has another result then. And a compare-exchange that
//! takes a lock may be followed, if it fails, by a wait for the lock and nothing else.

use crate::machine::Machine;
use crate::sync::{FREE, LOCK_CONTENDED, TAKEN};
use crate::thread::Thread;
use selvedge_program::Program;
use selvedge_program::code::{AtomicKind, Callee, Comparison, Op, RmwOp, Slot, Target};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// An addition to a word in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Adds {
    /// What is added.
    pub delta: i64,
    /// The thread goes on equally for all that the word may hold before, from this...
    pub low: i64,
    /// ... to this value.
    pub high: i64,
    /// Whether it may change places with other additions as far as the memory model is concerned.
    pub free: bool,
}

/// An access to a word of whose value nothing but comparisons is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Count {
    /// The bytes of the word.
    pub start: u64,
    pub end: u64,
    /// What is added, nothing by a load, and for which values the thread goes on as it does for the present one.
    pub adds: Adds,
}

impl Adds {
    /// Whether the thread goes on equally for all values from some value on, or up to some value.
    pub fn is_open(self) -> bool {
        const FAR_OFF: i64 = i32::MAX as i64 / 4;
        self.low <= -FAR_OFF || self.high >= FAR_OFF
    }
}

/// So many operations are looked at after the addition.
const FAR: usize = 48;

/// What a slot holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Held {
    Known(u64),
    /// What the word held before, and so much more.
    Old(i64),
    Unknown,
}

/// A run of the operations after an atomic one; for an addition, for all results for which they are the same.
#[derive(Clone)]
struct Look {
    /// Width of the word in bits.
    bits: u32,
    /// What the word holds now.
    old: i64,
    low: i64,
    high: i64,
    /// Index of the running frame.
    depth: usize,
    at: Target,
    changed: SmallVec<[(Slot, Held); 8]>,
}

impl Machine {
    /// The addition that a thread is before, if it is one of whose result only comparisons are left.
    pub(crate) fn pending_add(&mut self, index: usize) -> Option<Adds> {
        self.pending_count(index).map(|count| count.adds)
    }

    /// The addition or load that a thread is before, if only comparisons are left of its result.
    pub(crate) fn pending_count(&mut self, index: usize) -> Option<Count> {
        let program = &*self.program_here();
        let thread = self.threads[index].clone();
        let frame = thread.frames.last()?;
        let function = &program.functions[frame.function as usize];
        let Op::Atomic { index: at } = function.code[frame.pc as usize] else { return None };
        let atomic = &function.atomics[at as usize];
        let bits = atomic.width;
        if atomic.pointer || atomic.float.is_some() || !matches!(bits, 32 | 64) || frame.undefined.is_some() {
            return None;
        }
        let (dst, delta) = match atomic.kind {
            AtomicKind::Load { dst } => (dst, 0),
            AtomicKind::ReadModifyWrite { op: RmwOp::Add, dst, src } => {
                (dst, signed(thread.register(src), bits))
            }
            AtomicKind::ReadModifyWrite { op: RmwOp::Sub, dst, src } => {
                (dst, signed(thread.register(src), bits).checked_neg()?)
            }
            _ => return None,
        };
        let address = thread.pointer(atomic.ptr).address;
        let old = signed(self.probe().value_at(address, u64::from(bits / 8))?, bits);
        // Far from where additions would overflow.
        let most = if bits == 64 { i64::MAX / 4 } else { i64::from(i32::MAX / 4) };
        if !(-most..=most).contains(&old) || !(-most..=most).contains(&delta) {
            return None;
        }
        let mut look = Look::after(&thread, dst, &[Held::Old(0)]);
        (look.bits, look.old, look.low, look.high) = (bits, old, -most, most);
        for _ in 0..FAR {
            let live = self.live_slots.before(program, thread.frames[look.depth].function, look.at);
            let left = |&(slot, held): &(Slot, Held)| matches!(held, Held::Old(_)) && live.contains(slot);
            if !look.changed.iter().any(left) {
                let adds = Adds { delta, low: look.low, high: look.high, free: false };
                return Some(Count { start: address, end: address + u64::from(bits / 8), adds });
            }
            look.step(program, &thread)?;
        }
        None
    }

    /// Whether a thread is before a compare-exchange that, when it fails, is followed by nothing but a wait for what it
    /// expects, after which the thread is where it would have been if it had not failed. So it may as well wait before.
    pub(crate) fn waits_anyway(&mut self, index: usize) -> bool {
        self.finds_no_difference(index).is_some()
    }

    /// Whether a thread is before a call whose result, a number of threads, it does not use.
    pub(crate) fn ignores_count(&mut self, index: usize) -> bool {
        let most = self.threads.len() as u64;
        (1..=most).all(|count| self.ignores_result(index, [0, count]).is_some())
    }

    fn ignores_result(&mut self, index: usize, results: [u64; 2]) -> Option<()> {
        let program = &*self.program_here();
        let thread = self.threads[index].clone();
        let frame = thread.frames.last()?;
        let function = &program.functions[frame.function as usize];
        let Op::Call { index: at } = function.code[frame.pc as usize] else { return None };
        let call = &function.calls[at as usize];
        if call.tail || frame.undefined.is_some() {
            return None;
        }
        let [mut one, mut other] =
            results.map(|result| Look::after(&thread, call.dst, &[Held::Known(result)]));
        for _ in 0..FAR {
            if (one.depth, one.at) != (other.depth, other.at) {
                return None;
            }
            let live = self.live_slots.before(program, thread.frames[one.depth].function, one.at);
            let same = |slot: Slot| {
                let held = one.get(&thread, slot);
                held == other.get(&thread, slot) && (held != Held::Unknown || !one.has(slot))
            };
            if live.iter().all(same) {
                return Some(());
            }
            one.step(program, &thread)?;
            other.step(program, &thread)?;
        }
        None
    }

    fn finds_no_difference(&mut self, index: usize) -> Option<()> {
        let program = &*self.program_here();
        let thread = self.threads[index].clone();
        let frame = thread.frames.last()?;
        let function = &program.functions[frame.function as usize];
        let Op::Atomic { index: at } = function.code[frame.pc as usize] else { return None };
        let atomic = &function.atomics[at as usize];
        let AtomicKind::CompareExchange { dst, expected, desired, .. } = atomic.kind else { return None };
        let word = [FREE, TAKEN].map(u64::from);
        let exchanges = [expected, desired].map(|slot| thread.register(slot));
        if atomic.pointer || atomic.bytes != 4 || frame.undefined.is_some() || exchanges != word {
            return None;
        }
        let address = thread.pointer(atomic.ptr).address;
        let mut taken = vec![Look::after(&thread, dst, &[Held::Known(word[0]), Held::Known(1)])];
        while taken.len() < FAR {
            let mut next = taken.last()?.clone();
            if next.step(program, &thread).is_none() {
                break;
            }
            taken.push(next);
        }
        let mut waits = Look::after(&thread, dst, &[Held::Unknown, Held::Known(0)]);
        let mut waited = false;
        for _ in 0..FAR {
            if waited {
                let there = |look: &&Look| (look.depth, look.at) == (waits.depth, waits.at);
                let live = self.live_slots.before(program, thread.frames[waits.depth].function, waits.at);
                if let Some(look) = taken.iter().find(there) {
                    let same = |slot: Slot| {
                        let held = look.get(&thread, slot);
                        held != Held::Unknown && held == waits.get(&thread, slot)
                    };
                    return live.iter().all(same).then_some(());
                }
            }
            let frame = &thread.frames[waits.depth];
            let function = &program.functions[frame.function as usize];
            match function.code[waits.at as usize] {
                Op::Call { index } if !waited => {
                    let call = &function.calls[index as usize];
                    let Callee::External(external) = call.callee else { return None };
                    let model = self.native(external)?;
                    let argument = waits.get(&thread, *call.slots.first()?);
                    if model.name != LOCK_CONTENDED || argument != Held::Known(address) || call.tail {
                        return None;
                    }
                    waited = true;
                    waits.at += 1;
                }
                _ => waits.step(program, &thread)?,
            }
        }
        None
    }
}

fn signed(value: u64, bits: u32) -> i64 {
    if bits == 64 { value as i64 } else { i64::from(value as u32 as i32) }
}

impl Look {
    /// The operations after the one that a thread is before, which leaves some values.
    fn after(thread: &Thread, dst: Slot, values: &[Held]) -> Self {
        let depth = thread.frames.len() - 1;
        let at = thread.frames[depth].pc + 1;
        let changed = (dst..).zip(values.iter().copied()).collect();
        Look { bits: 64, old: 0, low: 0, high: 0, depth, at, changed }
    }

    fn get(&self, thread: &Thread, slot: Slot) -> Held {
        let changed = self.changed.iter().find(|(changed, _)| *changed == slot);
        let kept = || thread.registers.get((thread.frames[self.depth].base + slot) as usize).copied();
        changed.map(|changed| changed.1).or_else(|| kept().map(Held::Known)).unwrap_or(Held::Unknown)
    }

    fn has(&self, slot: Slot) -> bool {
        self.changed.iter().any(|(changed, _)| *changed == slot)
    }

    fn set(&mut self, slot: Slot, held: Held) {
        self.changed.retain(|changed| changed.0 != slot);
        self.changed.push((slot, held));
    }

    /// One operation; `None` if more than a comparison may be left of the result, or if it does more than compute.
    fn step(&mut self, program: &Program, thread: &Thread) -> Option<()> {
        let op = program.functions[thread.frames[self.depth].function as usize].code[self.at as usize];
        match op {
            Op::Return { src, count } => self.leave(program, thread, src, count),
            _ => self.compute(op, |look, slot| look.get(thread, slot)),
        }
    }

    fn leave(&mut self, program: &Program, thread: &Thread, src: Slot, count: u32) -> Option<()> {
        let values: SmallVec<[Held; 4]> = (src..src + count).map(|slot| self.get(thread, slot)).collect();
        self.depth = self.depth.checked_sub(1)?;
        let caller = &thread.frames[self.depth];
        let calling = &program.functions[caller.function as usize];
        let Op::Call { index } = calling.code[caller.pc as usize] else { return None };
        let call = &calling.calls[index as usize];
        let wanted: u32 = call.result.iter().map(|leaf| leaf.slots()).sum();
        if call.tail || wanted != count || caller.undefined.is_some() {
            return None;
        }
        self.changed = (call.dst..).zip(values).collect();
        self.at = caller.pc + 1;
        Some(())
    }

    fn compute(&mut self, op: Op, get: impl Fn(&Look, Slot) -> Held) -> Option<()> {
        self.at += 1;
        match op {
            Op::Const { dst, value } => self.set(dst, Held::Known(value)),
            Op::Move { dst, src } => {
                let held = get(self, src);
                self.set(dst, held);
            }
            Op::MoveMany { dst, src, count } => {
                let values: SmallVec<[Held; 4]> = (src..src + count).map(|slot| get(self, slot)).collect();
                (dst..).zip(values).for_each(|(slot, held)| self.set(slot, held));
            }
            Op::Add64 { dst, a, b } if self.bits == 64 => {
                let sum = self.sum(get(self, a), get(self, b))?;
                self.set(dst, sum);
            }
            Op::Add32 { dst, a, b } if self.bits == 32 => {
                let sum = self.sum(get(self, a), get(self, b))?;
                self.set(dst, sum);
            }
            Op::AddImm64 { dst, a, imm } if self.bits == 64 => {
                let sum = self.sum(get(self, a), Held::Known(i64::from(imm) as u64))?;
                self.set(dst, sum);
            }
            Op::AddImm32 { dst, a, imm } if self.bits == 32 => {
                let sum = self.sum(get(self, a), Held::Known(u64::from(imm as u32)))?;
                self.set(dst, sum);
            }
            Op::Compare { kind, dst, a, b } => {
                let holds = self.compare(kind, get(self, a), get(self, b))?;
                self.set(dst, Held::Known(u64::from(holds)));
            }
            Op::CompareImm { kind, width, dst, a, imm } => {
                let holds = self.compare(kind, get(self, a), immediate(imm, width))?;
                self.set(dst, Held::Known(u64::from(holds)));
            }
            Op::AndImm { dst, a, imm } => {
                let Held::Known(value) = get(self, a) else { return None };
                self.set(dst, Held::Known(value & u64::from(imm)));
            }
            Op::Jump { target } => self.at = target,
            Op::BranchIf { cond, target } => {
                let Held::Known(cond) = get(self, cond) else { return None };
                self.at = if cond != 0 { target } else { self.at };
            }
            Op::BranchUnless { cond, target } => {
                let Held::Known(cond) = get(self, cond) else { return None };
                self.at = if cond == 0 { target } else { self.at };
            }
            Op::BranchCompare { kind, a, b, target } => {
                let holds = self.compare(kind, get(self, a), get(self, b))?;
                self.at = if holds { target } else { self.at };
            }
            Op::BranchCompareImm { kind, width, a, imm, target } => {
                let holds = self.compare(kind, get(self, a), immediate(imm, width))?;
                self.at = if holds { target } else { self.at };
            }
            _ => return None,
        }
        Some(())
    }

    fn sum(&self, a: Held, b: Held) -> Option<Held> {
        match (a, b) {
            (Held::Old(more), Held::Known(value)) | (Held::Known(value), Held::Old(more)) => {
                Some(Held::Old(more.checked_add(signed(value, self.bits))?))
            }
            (Held::Old(_), _) | (_, Held::Old(_)) => None,
            _ => Some(Held::Unknown),
        }
    }

    /// How a comparison ends; from now on only for results for which it ends so.
    fn compare(&mut self, kind: Comparison, a: Held, b: Held) -> Option<bool> {
        match (a, b) {
            (Held::Old(more), Held::Known(value)) => self.narrow(kind, more, value),
            (Held::Known(value), Held::Old(more)) => self.narrow(flipped(kind), more, value),
            (Held::Known(a), Held::Known(b)) => Some(holds(kind, a, b)),
            _ => None,
        }
    }

    fn narrow(&mut self, kind: Comparison, more: i64, value: u64) -> Option<bool> {
        use Comparison::*;
        let limit = match kind {
            Eq | Ne => match self.bits == 64 || value >> 32 == 0 {
                true => i128::from(signed(value, self.bits)),
                false => return None,
            },
            Slt32 | Sle32 | Sgt32 | Sge32 if self.bits == 32 => i128::from(signed(value, 32)),
            Slt64 | Sle64 | Sgt64 | Sge64 if self.bits == 64 => i128::from(signed(value, 64)),
            Ult | Ule | Ugt | Uge => {
                // Only for sums that are not negative.
                self.low = self.low.max(more.checked_neg()?);
                i128::from(value)
            }
            _ => return None,
        };
        // What the word holds, compared with the limit less what was added.
        let limit = limit - i128::from(more);
        let (old, low, high) = (i128::from(self.old), i128::from(self.low), i128::from(self.high));
        if old < low {
            return None;
        }
        let (holds, low, high) = match kind {
            Eq | Ne => {
                let equal = old == limit;
                let (low, high) = match old.cmp(&limit) {
                    std::cmp::Ordering::Equal => (limit, limit),
                    std::cmp::Ordering::Less => (low, high.min(limit - 1)),
                    std::cmp::Ordering::Greater => (low.max(limit + 1), high),
                };
                (equal == (kind == Eq), low, high)
            }
            Ult | Slt32 | Slt64 | Uge | Sge32 | Sge64 => {
                let below = old < limit;
                let (low, high) = if below { (low, high.min(limit - 1)) } else { (low.max(limit), high) };
                (below == matches!(kind, Ult | Slt32 | Slt64), low, high)
            }
            Ule | Sle32 | Sle64 | Ugt | Sgt32 | Sgt64 => {
                let above = old > limit;
                let (low, high) = if above { (low.max(limit + 1), high) } else { (low, high.min(limit)) };
                (above == matches!(kind, Ugt | Sgt32 | Sgt64), low, high)
            }
        };
        (self.low, self.high) = (low as i64, high as i64);
        Some(holds)
    }
}

fn immediate(imm: i32, width: u8) -> Held {
    let value = i64::from(imm) as u64;
    Held::Known(if width < 64 { value & ((1 << width) - 1) } else { value })
}

fn holds(kind: Comparison, a: u64, b: u64) -> bool {
    use Comparison::*;
    let (narrow, wide) = (signed(a, 32).cmp(&signed(b, 32)), signed(a, 64).cmp(&signed(b, 64)));
    match kind {
        Eq => a == b,
        Ne => a != b,
        Ult => a < b,
        Ule => a <= b,
        Ugt => a > b,
        Uge => a >= b,
        Slt32 => narrow.is_lt(),
        Sle32 => narrow.is_le(),
        Sgt32 => narrow.is_gt(),
        Sge32 => narrow.is_ge(),
        Slt64 => wide.is_lt(),
        Sle64 => wide.is_le(),
        Sgt64 => wide.is_gt(),
        Sge64 => wide.is_ge(),
    }
}

/// The comparison with its sides exchanged.
fn flipped(kind: Comparison) -> Comparison {
    use Comparison::*;
    match kind {
        Eq => Eq,
        Ne => Ne,
        Ult => Ugt,
        Ule => Uge,
        Ugt => Ult,
        Uge => Ule,
        Slt32 => Sgt32,
        Sle32 => Sge32,
        Sgt32 => Slt32,
        Sge32 => Sle32,
        Slt64 => Sgt64,
        Sle64 => Sge64,
        Sgt64 => Slt64,
        Sge64 => Sle64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How a comparison of the old value and so much more ends, and from where to where it does.
    #[track_caller]
    fn check(old: i64, more: i64, kind: Comparison, value: i64, expected: (bool, i64, i64)) {
        let most = 1000;
        let changed = SmallVec::new();
        let mut look = Look { bits: 64, old, low: -most, high: most, depth: 0, at: 0, changed };
        let holds = look.compare(kind, Held::Old(more), Held::Known(value as u64));
        assert_eq!(holds.map(|holds| (holds, look.low, look.high)), Some(expected));
    }

    #[test]
    fn comparisons_say_for_which_values_they_end_the_same() {
        check(3, 0, Comparison::Eq, 1, (false, 2, 1000));
        check(1, 0, Comparison::Ne, 1, (false, 1, 1));
        check(0, 0, Comparison::Ne, 1, (true, -1000, 0));
        check(2, -1, Comparison::Eq, -1, (false, 1, 1000));
        check(0, -1, Comparison::Eq, -1, (true, 0, 0));
        check(5, 0, Comparison::Ule, i64::MAX, (true, 0, 1000));
        check(5, 1, Comparison::Ult, 4, (false, 3, 1000));
        check(2, 1, Comparison::Ult, 4, (true, -1, 2));
        check(7, 0, Comparison::Sgt64, 6, (true, 7, 1000));
        check(6, 0, Comparison::Sgt64, 6, (false, -1000, 6));
        check(6, 0, Comparison::Sge64, 6, (true, 6, 1000));
    }
}
