//! What instructions do.

use super::super::Lowering;
use super::constraints::Condition;
use super::flags::Flags;
use super::registers::{Assembly, Held, Home, Target};
use super::template::{Instruction, Operand, Register};
use crate::code::*;

/// Arithmetic with two operands.
fn arithmetic(name: &str) -> Option<BinaryOp> {
    Some(match name {
        "add" | "adc" => BinaryOp::Add,
        "sub" | "sbb" | "cmp" => BinaryOp::Sub,
        "and" | "test" => BinaryOp::And,
        "or" => BinaryOp::Or,
        "xor" => BinaryOp::Xor,
        "shl" | "sal" => BinaryOp::Shl,
        "shr" => BinaryOp::LShr,
        "sar" => BinaryOp::AShr,
        _ => return None,
    })
}

/// The same operation as a locked one.
fn locked(op: BinaryOp) -> Option<RmwOp> {
    Some(match op {
        BinaryOp::Add => RmwOp::Add,
        BinaryOp::Sub => RmwOp::Sub,
        BinaryOp::And => RmwOp::And,
        BinaryOp::Or => RmwOp::Or,
        BinaryOp::Xor => RmwOp::Xor,
        _ => return None,
    })
}

const NAMES: &[&str] = &[
    "mov", "xchg", "cmpxchg", "xadd", "add", "adc", "sub", "sbb", "cmp", "and", "test", "or", "xor", "shl",
    "sal", "shr", "sar", "inc", "dec", "neg", "not", "bt", "bts", "btr", "btc", "bsf", "bsr", "tzcnt",
    "lzcnt", "popcnt", "bswap", "mul",
];

/// An instruction's name without the letter for its size, and the size in bits.
fn without_size(name: &str) -> Option<(&str, Option<u32>)> {
    if NAMES.contains(&name) {
        return Some((name, None));
    }
    let (last, bits) =
        [("b", 8), ("w", 16), ("l", 32), ("q", 64)].into_iter().find(|(last, _)| name.ends_with(last))?;
    let name = name.strip_suffix(last)?;
    NAMES.contains(&name).then_some((name, Some(bits)))
}

impl Lowering<'_, '_> {
    pub(super) fn instruction(&mut self, assembly: &mut Assembly, instruction: &Instruction) -> Option<()> {
        let name = instruction.name.as_str();
        if instruction.operands.is_empty() {
            return self.without_operands(assembly, instruction);
        }
        if self.is_locked_nothing(instruction) {
            self.fence(Order::SeqCst, false);
            return Some(());
        }
        let operands: Vec<Target> = instruction
            .operands
            .iter()
            .map(|operand| self.target(assembly, operand))
            .collect::<Option<_>>()?;
        if let (Some(condition), [to]) = (name.strip_prefix("set").and_then(Condition::named), &operands[..])
        {
            let flags = assembly.flags;
            let slot = self.condition(&flags, condition)?;
            return self.write(assembly, *to, Held { slot, bits: 8, pointer: false }, 8);
        }
        if matches!(name, "cmpxchg16b" | "cmpxchg8b") {
            return self.compare_exchange_pair(assembly, instruction, operands[0]);
        }
        let (name, size) = without_size(name)?;
        // The number of bits to shift by has a size of its own.
        let sized = if matches!(name, "shl" | "sal" | "shr" | "sar") {
            &operands[operands.len() - 1..]
        } else {
            &operands[..]
        };
        let in_register = |target: &&Target| matches!(target, Target::Register { .. });
        let of_register = sized.iter().rev().find(in_register).and_then(|target| target.bits());
        let bits = size.or(of_register).or_else(|| sized.iter().find_map(|target| target.bits()))?;
        let to_memory = matches!(operands.last(), Some(Target::Memory { .. }));
        let exchanges =
            name == "xchg" && operands.iter().any(|target| matches!(target, Target::Memory { .. }));
        if exchanges || instruction.lock && to_memory {
            self.fence(Order::SeqCst, false);
            self.locked(assembly, name, &operands, bits)?;
            self.fence(Order::SeqCst, false);
            return Some(());
        }
        if instruction.lock {
            return None;
        }
        self.plain(assembly, name, &operands, bits)
    }

    /// A locked instruction that adds zero to the top of the stack, or ors it: how full fences used to be written.
    fn is_locked_nothing(&self, instruction: &Instruction) -> bool {
        let on_stack = |operand: &Operand| match operand {
            Operand::Memory { base, .. } => matches!(**base, Operand::Register(Register::STACK, _)),
            _ => false,
        };
        let name = instruction.name.trim_end_matches(['b', 'w', 'l', 'q']);
        instruction.lock
            && matches!(name, "add" | "or" | "")
            && matches!(&instruction.operands[..], [Operand::Immediate(0), place] if on_stack(place))
    }

    fn without_operands(&mut self, assembly: &mut Assembly, instruction: &Instruction) -> Option<()> {
        match (instruction.name.as_str(), instruction.repeat) {
            ("pause", _) | ("nop", true) => self.pause(),
            ("nop" | "endbr64" | "cld", _) => {}
            ("mfence", _) => self.fence(Order::SeqCst, false),
            ("lfence" | "sfence", _) => self.fence(Order::AcqRel, false),
            ("cpuid", _) => self.processor(assembly),
            ("xgetbv", _) => self.put_all(assembly, [(Register::A, 3), (Register::D, 0)]),
            (name @ ("rdtsc" | "rdtscp"), _) => {
                let [time, low, high] = [self.temporary(1), self.temporary(1), self.temporary(1)];
                self.read_time(time);
                self.mask(low, time, 32);
                self.code.emit(Op::LShrImm { dst: high, a: time, amount: 32 });
                for (register, slot) in [(Register::A, low), (Register::D, high)] {
                    assembly.hold(Home::Named(register), Held { slot, bits: 32, pointer: false });
                }
                if name == "rdtscp" {
                    self.put_all(assembly, [(Register::C, 0)]);
                }
            }
            _ => return None,
        }
        Some(())
    }

    fn put_all<const N: usize>(&mut self, assembly: &mut Assembly, values: [(Register, u64); N]) {
        for (register, value) in values {
            let slot = self.number(value);
            assembly.hold(Home::Named(register), Held { slot, bits: 32, pointer: false });
        }
    }

    /// `cpuid`: a processor that has what every x86-64 has, and nothing else.
    fn processor(&mut self, assembly: &mut Assembly) {
        /// Leaf 0, in registers A to D: the last leaf, and "Genu", "ntel", "ineI", which B, D and C make a name of.
        const MAKER: [u64; 4] = [1, 0x756e_6547, 0x6c65_746e, 0x4965_6e69];
        /// Leaf 1: a model, and `fpu`, `tsc`, `cx8`, `cmov`, `mmx`, `fxsr`, `sse` and `sse2`.
        const FEATURES: [u64; 4] = [0x6f0, 0, 0, 0x0780_8111];
        let leaf = self.read_register(assembly, Home::Named(Register::A), 32).slot;
        let found = self.temporary(4);
        for at in 0..4 {
            self.code.emit(Op::Const { dst: found + at, value: 0 });
        }
        for (number, values) in [MAKER, FEATURES].into_iter().enumerate() {
            let (known, is_asked) = (self.temporary(4), self.temporary(1));
            for (at, value) in values.into_iter().enumerate() {
                self.code.emit(Op::Const { dst: known + at as u32, value });
            }
            let kind = Comparison::Eq;
            self.code.emit(Op::CompareImm { kind, width: 32, dst: is_asked, a: leaf, imm: number as i32 });
            self.code.emit(Op::MoveIf { count: 4, dst: found, cond: is_asked, src: known });
        }
        for (at, register) in [Register::A, Register::B, Register::C, Register::D].into_iter().enumerate() {
            assembly.hold(Home::Named(register), Held { slot: found + at as u32, bits: 32, pointer: false });
        }
    }

    /// What is in a place, as a number of so many bits.
    fn read(&mut self, assembly: &Assembly, from: Target, bits: u32) -> Held {
        match from {
            Target::Register { home, .. } => self.read_register(assembly, home, bits),
            Target::Immediate(number) => {
                let slot = self.number(crate::constants::truncate(number, bits));
                Held { slot, bits, pointer: false }
            }
            Target::Memory { ptr, pointer, .. } => self.load_held(ptr, bits, pointer && bits == 64),
        }
    }

    fn load_held(&mut self, ptr: Slot, bits: u32, pointer: bool) -> Held {
        let dst = self.temporary(2);
        let order = Order::Acquire;
        self.code.atomic(Atomic { ptr, order, ..access(AtomicKind::Load { dst }, bits, pointer) });
        Held { slot: dst, bits, pointer }
    }

    fn write(&mut self, assembly: &mut Assembly, to: Target, held: Held, bits: u32) -> Option<()> {
        match to {
            Target::Register { home, .. } => self.write_register(assembly, home, bits, held),
            Target::Memory { ptr, .. } => {
                let pointer = held.pointer && bits == 64;
                let kind = AtomicKind::Store { src: held.slot };
                self.code.atomic(Atomic { ptr, order: Order::Release, ..access(kind, bits, pointer) });
            }
            Target::Immediate(_) => return None,
        }
        Some(())
    }

    /// An instruction that is not locked.
    fn plain(&mut self, assembly: &mut Assembly, name: &str, operands: &[Target], bits: u32) -> Option<()> {
        match (name, operands) {
            ("mov", &[from, to]) => {
                // A pointer that is loaded into a register keeps its provenance.
                let from = match (from, to) {
                    (Target::Memory { ptr, bits, .. }, to) if to.is_pointer() => {
                        Target::Memory { ptr, bits, pointer: true }
                    }
                    _ => from,
                };
                let held = self.read(assembly, from, bits);
                self.write(assembly, to, held, bits)
            }
            ("xchg", &[one, other]) => {
                let (first, second) = (self.read(assembly, one, bits), self.read(assembly, other, bits));
                self.write(assembly, one, second, bits)?;
                self.write(assembly, other, first, bits)
            }
            ("xadd", &[from, to]) => {
                let (b, a) = (self.read(assembly, from, bits), self.read(assembly, to, bits));
                let (sum, flags) = self.sum(BinaryOp::Add, bits, a.slot, b.slot, None);
                assembly.flags = flags;
                self.write(assembly, from, a, bits)?;
                self.write(assembly, to, Held { slot: sum, bits, pointer: false }, bits)
            }
            ("bt" | "bts" | "btr" | "btc", &[number, to]) => {
                let number = self.read(assembly, number, bits);
                let (place, mask, shift) = self.bit(to, number.slot, bits);
                let old = self.read(assembly, place, bits).slot;
                self.found_bit(assembly, old, shift, bits);
                let new = match name {
                    "bts" => self.computed(BinaryOp::Or, bits, old, mask),
                    "btc" => self.computed(BinaryOp::Xor, bits, old, mask),
                    "btr" => {
                        let rest = self.inverted(mask, bits);
                        self.computed(BinaryOp::And, bits, old, rest)
                    }
                    _ => return Some(()),
                };
                self.write(assembly, place, Held { slot: new, bits, pointer: false }, bits)
            }
            ("bsf" | "bsr" | "tzcnt" | "lzcnt" | "popcnt", &[from, to]) => {
                self.count(assembly, name, from, to, bits)
            }
            ("mul", &[by]) => self.multiply(assembly, by, bits),
            ("shl" | "sal" | "shr" | "sar", &[number, to]) => {
                let (a, number) = (self.read(assembly, to, bits), self.read(assembly, number, 8));
                let by = self.temporary(1);
                let imm = if bits == 64 { 63 } else { 31 };
                self.code.emit(Op::AndImm { dst: by, a: number.slot, imm });
                let slot = self.computed(arithmetic(name)?, bits, a.slot, by);
                assembly.flags = Flags::default();
                self.write(assembly, to, Held { slot, bits, pointer: false }, bits)
            }
            (_, &[to]) => {
                let a = self.read(assembly, to, bits).slot;
                let (slot, flags) = self.alone(assembly, name, a, bits)?;
                assembly.flags = flags;
                self.write(assembly, to, Held { slot, bits, pointer: false }, bits)
            }
            (_, &[from, to]) => {
                let (b, a) = (self.read(assembly, from, bits), self.read(assembly, to, bits));
                let op = arithmetic(name)?;
                let carry = if matches!(name, "adc" | "sbb") { Some(assembly.flags.carry?) } else { None };
                let (slot, flags) = self.calculated(op, bits, a.slot, b.slot, carry);
                assembly.flags = flags;
                match name {
                    "cmp" | "test" => Some(()),
                    _ => self.write(assembly, to, Held { slot, bits, pointer: false }, bits),
                }
            }
            _ => None,
        }
    }

    fn calculated(
        &mut self,
        op: BinaryOp,
        bits: u32,
        a: Slot,
        b: Slot,
        carry: Option<Slot>,
    ) -> (Slot, Flags) {
        if let BinaryOp::Add | BinaryOp::Sub = op {
            return self.sum(op, bits, a, b, carry);
        }
        let slot = self.computed(op, bits, a, b);
        (slot, self.logical_flags(bits, slot))
    }

    /// Arithmetic with one operand. `inc` and `dec` leave the carry, `not` leaves all flags.
    fn alone(&mut self, assembly: &Assembly, name: &str, a: Slot, bits: u32) -> Option<(Slot, Flags)> {
        let (zero, one) = (self.number(0), self.number(1));
        let op = match name {
            "inc" => BinaryOp::Add,
            "dec" => BinaryOp::Sub,
            "neg" => return Some(self.sum(BinaryOp::Sub, bits, zero, a, None)),
            "not" => return Some((self.inverted(a, bits), assembly.flags)),
            _ => return None,
        };
        let (slot, flags) = self.sum(op, bits, a, one, None);
        Some((slot, Flags { carry: assembly.flags.carry, ..flags }))
    }

    fn inverted(&mut self, a: Slot, bits: u32) -> Slot {
        let all = self.number(crate::constants::truncate(u64::MAX, bits));
        self.computed(BinaryOp::Xor, bits, a, all)
    }

    /// Where the bit of a number is, as a mask and as a number within its word. In memory, a number in a register may lead to
    /// another word.
    fn bit(&mut self, to: Target, number: Slot, bits: u32) -> (Target, Slot, Slot) {
        let (within, mask, one) = (self.temporary(1), self.temporary(1), self.number(1));
        self.code.emit(Op::AndImm { dst: within, a: number, imm: bits - 1 });
        self.binary(BinaryOp::Shl, bits, mask, one, within);
        let Target::Memory { ptr: base, bits: said, pointer } = to else { return (to, mask, within) };
        let (wide, words, ptr) = (self.temporary(1), self.temporary(1), self.temporary(2));
        match bits {
            64 => self.code.copy(wide, number, 1),
            _ => self.code.emit(Op::SignExtend { from: bits as u8, to: 64, dst: wide, a: number }),
        }
        let amount = bits.trailing_zeros() as u8;
        self.code.emit(Op::AShrImm64 { dst: words, a: wide, amount });
        self.code.emit(Op::PtrIndex { scale: (bits / 8) as u16, dst: ptr, base, a: words });
        (Target::Memory { ptr, bits: said, pointer }, mask, within)
    }

    fn found_bit(&mut self, assembly: &mut Assembly, old: Slot, shift: Slot, bits: u32) {
        let moved = self.computed(BinaryOp::LShr, bits, old, shift);
        let carry = self.temporary(1);
        self.mask(carry, moved, 1);
        assembly.flags = Flags { carry: Some(carry), ..Flags::default() };
    }

    /// Instructions that count bits. Of zero, `bsf` and `bsr` leave the register as it was.
    fn count(
        &mut self,
        assembly: &mut Assembly,
        name: &str,
        from: Target,
        to: Target,
        bits: u32,
    ) -> Option<()> {
        let a = self.read(assembly, from, bits).slot;
        let kind = match name {
            "bsf" | "tzcnt" => IntrinsicKind::CountTrailingZeros,
            "popcnt" => IntrinsicKind::PopulationCount,
            _ => IntrinsicKind::CountLeadingZeros,
        };
        let mut slot = self.temporary(1);
        let (format, zero) = (FloatFormat::Double, self.number(0));
        let args: Box<[Slot]> = if name == "popcnt" { [a].into() } else { [a, zero].into() };
        self.code.intrinsic(Intrinsic { kind, width: bits, result_width: bits, format, dst: slot, args });
        let of_source = self.flags_of(bits, a);
        assembly.flags = Flags { zero: of_source.zero, ..Flags::default() };
        if name == "bsr" {
            let last = self.number(u64::from(bits - 1));
            slot = self.computed(BinaryOp::Sub, bits, last, slot);
        }
        if matches!(name, "bsf" | "bsr") {
            let (old, kept) = (self.read(assembly, to, bits).slot, self.temporary(1));
            self.code.copy(kept, slot, 1);
            self.code.emit(Op::MoveIf { count: 1, dst: kept, cond: of_source.zero?, src: old });
            slot = kept;
        } else {
            assembly.flags = Flags { zero: self.flags_of(bits, slot).zero, ..Flags::default() };
        }
        self.write(assembly, to, Held { slot, bits, pointer: false }, bits)
    }

    /// `mul`: registers A and D get the whole product.
    fn multiply(&mut self, assembly: &mut Assembly, by: Target, bits: u32) -> Option<()> {
        if bits != 64 {
            return None;
        }
        let [a, b, dst] = [self.temporary(2), self.temporary(2), self.temporary(2)];
        let factors = [
            (a, self.read_register(assembly, Home::Named(Register::A), 64)),
            (b, self.read(assembly, by, 64)),
        ];
        for (to, held) in factors {
            self.code.copy(to, held.slot, 1);
            self.code.emit(Op::Const { dst: to + 1, value: 0 });
        }
        self.code.wide(Wide { op: WideOp::Binary(BinaryOp::Mul), width: 128, dst, a, b });
        for (register, slot) in [(Register::A, dst), (Register::D, dst + 1)] {
            assembly.hold(Home::Named(register), Held { slot, bits: 64, pointer: false });
        }
        assembly.flags = Flags::default();
        Some(())
    }

    /// An instruction that is locked, on memory.
    fn locked(&mut self, assembly: &mut Assembly, name: &str, operands: &[Target], bits: u32) -> Option<()> {
        match (name, operands) {
            ("xchg", &[Target::Memory { .. }, _]) => {
                self.exchange(assembly, operands[1], operands[0], bits, RmwOp::Exchange)
            }
            ("xchg", &[from, to]) => self.exchange(assembly, from, to, bits, RmwOp::Exchange),
            ("xadd", &[from, to]) => self.exchange(assembly, from, to, bits, RmwOp::Add),
            ("cmpxchg", &[from, to]) => self.compare_exchange(assembly, from, to, bits),
            ("bts" | "btr" | "btc", &[number, to]) => {
                let number = self.read(assembly, number, bits);
                let (Target::Memory { ptr, .. }, mask, shift) = self.bit(to, number.slot, bits) else {
                    return None;
                };
                let (op, src) = match name {
                    "bts" => (RmwOp::Or, mask),
                    "btc" => (RmwOp::Xor, mask),
                    _ => (RmwOp::And, self.inverted(mask, bits)),
                };
                let old = self.update(op, ptr, Held { slot: src, bits, pointer: false }, bits);
                self.found_bit(assembly, old.slot, shift, bits);
                Some(())
            }
            ("inc" | "dec" | "neg" | "not", &[Target::Memory { ptr, .. }]) => {
                let (op, operand) = match name {
                    "inc" => (RmwOp::Add, 1),
                    "dec" => (RmwOp::Sub, 1),
                    "not" => (RmwOp::Xor, crate::constants::truncate(u64::MAX, bits)),
                    _ => return None,
                };
                let slot = self.number(operand);
                let old = self.update(op, ptr, Held { slot, bits, pointer: false }, bits);
                assembly.flags = self.alone(assembly, name, old.slot, bits)?.1;
                Some(())
            }
            (_, &[from, Target::Memory { ptr, .. }]) => {
                let op = arithmetic(name).filter(|_| matches!(name, "add" | "sub" | "and" | "or" | "xor"))?;
                let b = self.read(assembly, from, bits);
                let old = self.update(locked(op)?, ptr, Held { pointer: false, ..b }, bits);
                assembly.flags = self.calculated(op, bits, old.slot, b.slot, None).1;
                Some(())
            }
            _ => None,
        }
    }

    /// A read-modify-write: what was there before.
    fn update(&mut self, op: RmwOp, ptr: Slot, src: Held, bits: u32) -> Held {
        let dst = self.temporary(2);
        let kind = AtomicKind::ReadModifyWrite { op, dst, src: src.slot };
        self.code.atomic(Atomic { ptr, ..access(kind, bits, src.pointer) });
        Held { slot: dst, bits, pointer: src.pointer }
    }

    /// `xchg` and `xadd`: the register gets what was in memory.
    fn exchange(
        &mut self,
        assembly: &mut Assembly,
        from: Target,
        to: Target,
        bits: u32,
        op: RmwOp,
    ) -> Option<()> {
        let Target::Memory { ptr, .. } = to else { return None };
        let mut new = self.read(assembly, from, bits);
        if op != RmwOp::Exchange {
            new.pointer = false;
        } else if bits == 64 && (to.is_pointer() || from.is_pointer()) {
            new = Held { slot: self.as_pointer(new), bits, pointer: true };
        }
        let old = self.update(op, ptr, new, bits);
        if op == RmwOp::Add {
            assembly.flags = self.sum(BinaryOp::Add, bits, old.slot, new.slot, None).1;
        }
        self.write(assembly, from, old, bits)
    }

    /// `cmpxchg`: register A holds what is expected, and gets what is found; the zero flag says whether it was exchanged.
    fn compare_exchange(
        &mut self,
        assembly: &mut Assembly,
        from: Target,
        to: Target,
        bits: u32,
    ) -> Option<()> {
        let Target::Memory { ptr, .. } = to else { return None };
        let home = Home::Named(Register::A);
        let (mut new, mut expected) =
            (self.read(assembly, from, bits), self.read_register(assembly, home, bits));
        let pointer = bits == 64 && (to.is_pointer() || new.pointer || expected.pointer);
        if pointer {
            for held in [&mut new, &mut expected] {
                *held = Held { slot: self.as_pointer(*held), bits, pointer };
            }
        }
        let dst = self.temporary(3);
        let kind = AtomicKind::CompareExchange {
            dst,
            expected: expected.slot,
            desired: new.slot,
            weak: false,
            failure: Order::SeqCst,
        };
        self.code.atomic(Atomic { ptr, ..access(kind, bits, pointer) });
        let flag = dst + 1 + u32::from(pointer);
        assembly.flags = Flags { zero: Some(flag), ..Flags::default() };
        self.write_register(assembly, home, bits, Held { slot: dst, bits, pointer });
        Some(())
    }

    /// `cmpxchg8b` and `cmpxchg16b`: registers D and A are compared, C and B stored.
    fn compare_exchange_pair(
        &mut self,
        assembly: &mut Assembly,
        instruction: &Instruction,
        to: Target,
    ) -> Option<()> {
        let Target::Memory { ptr, .. } = to else { return None };
        let bits = if instruction.name == "cmpxchg16b" { 64 } else { 32 };
        if !instruction.lock {
            return None;
        }
        let mut pair = |low: Register, high: Register| {
            let [low, high] =
                [low, high].map(|register| self.read_register(assembly, Home::Named(register), bits).slot);
            let both = self.temporary(2);
            if bits == 64 {
                self.code.copy(both, low, 1);
                self.code.copy(both + 1, high, 1);
            } else {
                let (by, moved) = (self.number(32), self.temporary(1));
                self.binary(BinaryOp::Shl, 64, moved, high, by);
                self.binary(BinaryOp::Or, 64, both, low, moved);
            }
            both
        };
        let (expected, desired) = (pair(Register::A, Register::D), pair(Register::B, Register::C));
        let dst = self.temporary(3);
        let (weak, failure) = (false, Order::SeqCst);
        let kind = AtomicKind::CompareExchange { dst, expected, desired, weak, failure };
        self.fence(Order::SeqCst, false);
        self.code.atomic(Atomic { ptr, ..access(kind, 2 * bits, false) });
        self.fence(Order::SeqCst, false);
        let (low, high, flag) = match bits {
            64 => (dst, dst + 1, dst + 2),
            _ => {
                let (low, high) = (self.temporary(1), self.temporary(1));
                self.mask(low, dst, 32);
                self.code.emit(Op::LShrImm { dst: high, a: dst, amount: 32 });
                (low, high, dst + 1)
            }
        };
        assembly.flags = Flags { zero: Some(flag), ..Flags::default() };
        for (register, slot) in [(Register::A, low), (Register::D, high)] {
            assembly.hold(Home::Named(register), Held { slot, bits, pointer: false });
        }
        Some(())
    }
}

/// An atomic access of so many bits, sequentially consistent unless said otherwise.
fn access(kind: AtomicKind, bits: u32, pointer: bool) -> Atomic {
    Atomic {
        kind,
        ptr: 0,
        bytes: (bits / 8) as u8,
        width: bits,
        pointer,
        float: None,
        order: Order::SeqCst,
        single_thread: false,
    }
}
