//! Every claim is checked against what the operation gives for all values of the undefined bits.

use super::*;
use crate::ops::random::Random;
use crate::ops::{intrinsics, repack, wide};
use selvedge_program::code::{
    Alloca, FloatFormat, FloatOp, Intrinsic, IntrinsicKind, Leaf, Repack, Switch, Wide, WideOp,
};

/// Undefined bits of slots.
fn undefined(slots: &[(Slot, u64)]) -> FxHashMap<Slot, u64> {
    slots.iter().copied().filter(|&(_, bits)| bits != 0).collect()
}

/// Every frame that the undefined bits allow.
fn completions(registers: &[u64], undefined: &FxHashMap<Slot, u64>) -> Vec<Vec<u64>> {
    let mut bits = Vec::new();
    for (&slot, &mask) in undefined {
        bits.extend((0..64).filter(|bit| mask >> bit & 1 != 0).map(|bit| (slot as usize, bit)));
    }
    let complete = |choice: u64| {
        let mut frame = registers.to_vec();
        for (index, &(slot, bit)) in bits.iter().enumerate() {
            frame[slot] = frame[slot] & !(1 << bit) | (choice >> index & 1) << bit;
        }
        frame
    };
    (0..1 << bits.len()).map(complete).collect()
}

/// What slots get, for every completion. `None`: the operation has no result for this one.
fn truth(
    registers: &[u64],
    undefined: &FxHashMap<Slot, u64>,
    slots: &[Slot],
    run: impl Fn(&mut [u64]) -> Option<()>,
) -> Vec<u64> {
    let mut differences = vec![0; slots.len()];
    let mut first: Option<Vec<u64>> = None;
    for mut frame in completions(registers, undefined) {
        if run(&mut frame).is_none() {
            continue;
        }
        let values: Vec<u64> = slots.iter().map(|&slot| frame[slot as usize]).collect();
        let first = first.get_or_insert_with(|| values.clone());
        for (difference, (a, b)) in differences.iter_mut().zip(first.iter().zip(&values)) {
            *difference |= a ^ b;
        }
    }
    differences
}

/// Runs the operation on all completions; its undefined bits must cover every difference, or be just those.
fn check(
    op: &Op,
    function: &Function,
    registers: &[u64],
    undefined: &FxHashMap<Slot, u64>,
    exact: bool,
    run: impl Fn(&mut [u64]) -> Option<()>,
) {
    let Propagation::Written(written) = propagate(op, function, registers, undefined) else {
        panic!("{op:?} writes nothing");
    };
    let slots: Vec<Slot> = written.iter().map(|&(slot, _)| slot).collect();
    let truth = truth(registers, undefined, &slots, run);
    for (&(slot, claimed), difference) in written.iter().zip(truth) {
        let right = if exact { claimed == difference } else { difference & !claimed == 0 };
        assert!(right, "{op:?} on {registers:x?} {undefined:x?}: {slot} has {difference:b}, not {claimed:b}");
    }
}

/// Calls with every pair of operands of three bits and every choice of undefined ones.
fn every_pair(mut body: impl FnMut(&[u64], &FxHashMap<Slot, u64>)) {
    for choice in 0..1u64 << 12 {
        let [a, b, a_bits, b_bits] = [0, 3, 6, 9].map(|shift| choice >> shift & 7);
        body(&[a, b, 0, 0], &undefined(&[(0, a_bits), (1, b_bits)]));
    }
}

#[test]
fn binary_operations() {
    use BinaryOp::{AShr, Add, And, LShr, Mul, Or, SDiv, SRem, Shl, Sub, UDiv, URem, Xor};
    let function = Function::default();
    for op in [Add, Sub, Mul, UDiv, SDiv, URem, SRem, Shl, LShr, AShr, And, Or, Xor] {
        every_pair(|registers, undefined| {
            let operation = Op::Binary { op, width: 3, dst: 2, a: 0, b: 1 };
            let divides = matches!(op, UDiv | SDiv | URem | SRem);
            if divides && undefined.contains_key(&1) {
                let found = propagate(&operation, &function, registers, undefined);
                assert_eq!(found, Propagation::Decides("divisor"));
                return;
            }
            let exact = matches!(op, Add | Sub | And | Or | Xor);
            check(&operation, &function, registers, undefined, exact, |frame| {
                frame[2] = binary::binary(op, 3, frame[0], frame[1]).ok()?;
                Some(())
            });
        });
    }
}

#[test]
fn shifts_by_known_amounts_are_exact() {
    let function = Function::default();
    for (op, kind) in [
        (Op::ShlImm64 { dst: 2, a: 0, amount: 5 }, BinaryOp::Shl),
        (Op::LShrImm { dst: 2, a: 0, amount: 5 }, BinaryOp::LShr),
        (Op::AShrImm64 { dst: 2, a: 0, amount: 5 }, BinaryOp::AShr),
    ] {
        let bits = undefined(&[(0, 1 << 63 | 0xf0 | 1)]);
        check(&op, &function, &[0x1234_5678_9abc_def0, 0, 0], &bits, true, |frame| {
            frame[2] = binary::binary(kind, 64, frame[0], 5).ok()?;
            Some(())
        });
    }
    for (op, kind) in [
        (Op::ShlImm32 { dst: 2, a: 0, amount: 5 }, BinaryOp::Shl),
        (Op::AShrImm32 { dst: 2, a: 0, amount: 5 }, BinaryOp::AShr),
    ] {
        let bits = undefined(&[(0, 1 << 31 | 0xf0 | 1)]);
        check(&op, &function, &[0x8abc_def0, 0, 0], &bits, true, |frame| {
            frame[2] = binary::binary(kind, 32, frame[0], 5).ok()?;
            Some(())
        });
    }
}

/// What an operation computes.
type Compute<'c> = &'c dyn Fn(u64, u64) -> u64;

#[test]
fn inline_arithmetic() {
    let function = Function::default();
    let mut random = Random(20);
    for _ in 0..2000 {
        let few = |random: &mut Random| (0..3).fold(0, |bits, _| bits | 1u64 << random.below(32));
        let registers = [random.word() & mask(32), random.word() & mask(32), 0, 0];
        let undefined = undefined(&[(0, few(&mut random)), (1, few(&mut random))]);
        let imm = random.word() as i32;
        let wide = i64::from(imm) as u64;
        let ops: [(Op, bool, Compute); 13] = [
            (Op::Add32 { dst: 2, a: 0, b: 1 }, true, &|a, b| (a + b) & mask(32)),
            (Op::Sub32 { dst: 2, a: 0, b: 1 }, true, &|a, b| a.wrapping_sub(b) & mask(32)),
            (Op::Mul32 { dst: 2, a: 0, b: 1 }, false, &|a, b| a.wrapping_mul(b) & mask(32)),
            (Op::Add64 { dst: 2, a: 0, b: 1 }, true, &|a, b| a.wrapping_add(b)),
            (Op::Sub64 { dst: 2, a: 0, b: 1 }, true, &|a, b| a.wrapping_sub(b)),
            (Op::Mul64 { dst: 2, a: 0, b: 1 }, false, &|a, b| a.wrapping_mul(b)),
            (Op::AddImm32 { dst: 2, a: 0, imm }, true, &|a, _| a.wrapping_add(wide) & mask(32)),
            (Op::AddImm64 { dst: 2, a: 0, imm }, true, &|a, _| a.wrapping_add(wide)),
            (Op::MulImm32 { dst: 2, a: 0, imm }, false, &|a, _| a.wrapping_mul(wide) & mask(32)),
            (Op::MulImm64 { dst: 2, a: 0, imm }, false, &|a, _| a.wrapping_mul(wide)),
            (Op::AndImm { dst: 2, a: 0, imm: imm as u32 }, true, &|a, _| a & u64::from(imm as u32)),
            (Op::SignExtend { from: 8, to: 32, dst: 2, a: 0 }, true, &|a, _| a as i8 as u32 as u64),
            (Op::PtrIndex { scale: 24, dst: 2, base: 0, a: 1 }, false, &|a, b| {
                a.wrapping_add(b.wrapping_mul(24))
            }),
        ];
        for (op, exact, compute) in ops {
            let mut undefined = undefined.clone();
            if let Op::PtrIndex { .. } = op {
                // The provenance shares its slot with the index here, and has nothing to say.
                undefined.remove(&1);
            }
            check(&op, &function, &registers, &undefined, exact, |frame| {
                frame[2] = compute(frame[0], frame[1]);
                Some(())
            });
        }
    }
}

#[test]
fn comparisons_are_exact() {
    use Comparison as C;
    let function = Function::default();
    for (kind, width, imm) in [
        (C::Eq, 64, -3),
        (C::Ne, 32, 2),
        (C::Ult, 64, 5),
        (C::Ule, 8, -2),
        (C::Ugt, 16, 4),
        (C::Uge, 64, 1),
        (C::Slt32, 32, -1),
        (C::Sle32, 32, 3),
        (C::Sgt32, 32, 0),
        (C::Sge32, 32, -4),
        (C::Slt64, 64, -1),
        (C::Sle64, 64, 3),
        (C::Sgt64, 64, 0),
        (C::Sge64, 64, -4),
    ] {
        // The three bits are the sign and the two lowest.
        let spread = |bits: u64, width: u32| bits & 3 | (bits >> 2) << (width - 1);
        every_pair(|registers, bits| {
            let sign = if matches!(kind, C::Slt32 | C::Sle32 | C::Sgt32 | C::Sge32) { 32 } else { width };
            let registers: Vec<u64> = registers.iter().map(|&value| spread(value, sign)).collect();
            let bits = bits.iter().map(|(&slot, &bits)| (slot, spread(bits, sign))).collect();
            let op = Op::Compare { kind, dst: 2, a: 0, b: 1 };
            check(&op, &function, &registers, &bits, true, |frame| {
                frame[2] = binary::compare(kind, frame[0], frame[1]).into();
                Some(())
            });
            let op = Op::CompareImm { kind, width: width as u8, dst: 2, a: 0, imm };
            let expected = |frame: &mut [u64]| {
                frame[2] = binary::compare(kind, frame[0], binary::immediate(imm, width as u8)).into();
                Some(())
            };
            check(&op, &function, &registers, &bits, true, expected);
            let open = truth(&registers, &bits, &[2], expected)[0] != 0;
            let branch = Op::BranchCompareImm { kind, width: width as u8, a: 0, imm, target: 0 };
            let found = propagate(&branch, &function, &registers, &bits);
            assert_eq!(found == Propagation::Decides("branch"), open);
        });
    }
}

#[test]
fn overflow_flags() {
    let function = Function::default();
    for op in [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul] {
        for signed in [true, false] {
            every_pair(|registers, undefined| {
                let operation = Op::Overflowing { op, signed, width: 3, dst: 2, a: 0, b: 1 };
                check(&operation, &function, registers, undefined, false, |frame| {
                    let (value, flag) = binary::overflowing(op, signed, 3, frame[0], frame[1]);
                    (frame[2], frame[3]) = (value, flag.into());
                    Some(())
                });
            });
        }
    }
}

#[test]
fn conditional_moves() {
    let function = Function::default();
    let op = Op::MoveIf { count: 1, dst: 2, cond: 3, src: 0 };
    for choice in 0..1u64 << 14 {
        let [src, dst, src_bits, dst_bits] = [0, 3, 6, 9].map(|shift| choice >> shift & 7);
        let bits = undefined(&[(0, src_bits), (2, dst_bits), (3, choice >> 12 & 1)]);
        let registers = [src, 0, dst, choice >> 13 & 1];
        check(&op, &function, &registers, &bits, true, |frame| {
            if frame[3] != 0 {
                frame[2] = frame[0];
            }
            Some(())
        });
    }
}

#[test]
fn wide_operations() {
    use BinaryOp::{AShr, Add, And, LShr, Mul, Or, SDiv, SRem, Shl, Sub, UDiv, URem, Xor};
    let mut random = Random(21);
    for _ in 0..3000 {
        let width = 65 + random.below(130) as u32;
        let binary = [Add, Sub, Mul, UDiv, SDiv, URem, SRem, Shl, LShr, AShr, And, Or, Xor];
        let kind = match random.below(8) {
            0..4 => WideOp::Binary(binary[random.below(13) as usize]),
            4 => WideOp::Compare(Comparison::Eq),
            5 => WideOp::SignExtend { from: 1 + random.below(width.into()) as u32 },
            6 => WideOp::Truncate { from: width + random.below(60) as u32 },
            _ => WideOp::Overflowing { op: Mul, signed: true },
        };
        let mut registers: Vec<u64> = (0..16).map(|_| random.word()).collect();
        let from = match kind {
            WideOp::SignExtend { from } | WideOp::Truncate { from } => from,
            _ => width,
        };
        let divides = matches!(kind, WideOp::Binary(UDiv | SDiv | URem | SRem));
        let shifts = matches!(kind, WideOp::Binary(Shl | LShr | AShr));
        if shifts && random.below(3) > 0 {
            registers[4..8].copy_from_slice(&[random.below(width.into()), 0, 0, 0]);
        }
        let mut bits = FxHashMap::default();
        for _ in 0..5 {
            let bit = random.below(from.into()) as u32;
            let second = random.below(3) == 0 && !divides && !shifts;
            let slot = bit / 64 + if second { 4 } else { 0 };
            *bits.entry(slot).or_insert(0) |= 1 << (bit % 64);
        }
        // Bits above the width are zero.
        for (slot, width) in [(0, from), (4, width)] {
            for index in 0..4 {
                registers[slot + index] &= mask(width.saturating_sub(64 * index as u32));
            }
        }
        let exact = match kind {
            WideOp::Binary(op) => matches!(op, And | Or | Xor) || shifts && registers[4] < width.into(),
            WideOp::Compare(_) | WideOp::SignExtend { .. } | WideOp::Truncate { .. } => true,
            _ => false,
        };
        let exact = exact && !(shifts && (registers[5] | registers[6] | registers[7]) != 0);
        let wide = Wide { op: kind, width, dst: 8, a: 0, b: 4 };
        let function = Function { wides: Box::new([wide.clone()]), ..Function::default() };
        check(&Op::Wide { index: 0 }, &function, &registers, &bits, exact, |frame| {
            wide::wide(frame, &wide).ok()
        });
    }
}

#[test]
fn intrinsics_and_repacking() {
    use IntrinsicKind as Kind;
    let mut random = Random(22);
    let kinds = [
        Kind::ByteSwap,
        Kind::BitReverse,
        Kind::FunnelShiftLeft,
        Kind::FunnelShiftRight,
        Kind::CountLeadingZeros,
        Kind::PopulationCount,
        Kind::UMax,
        Kind::SAddSat,
        Kind::Abs,
    ];
    for _ in 0..2000 {
        let kind = kinds[random.below(9) as usize];
        let width = 8 * (1 + random.below(20)) as u32;
        let format = FloatFormat::Double;
        let required = kind.signature().required;
        let args = [0, 4, 8][..required].into();
        let op = Intrinsic { kind, width, result_width: width, format, dst: 12, args };
        let mut registers: Vec<u64> = (0..16).map(|_| random.word()).collect();
        for (slot, value) in registers.iter_mut().enumerate().take(12) {
            *value &= mask(width.saturating_sub(64 * (slot as u32 % 4)));
        }
        let mut bits = FxHashMap::default();
        for _ in 0..5 {
            let bit = random.below(width.into()) as u32;
            let second = if required > 1 && random.below(2) == 0 { 4 } else { 0 };
            *bits.entry(bit / 64 + second).or_insert(0) |= 1 << (bit % 64);
        }
        let function = Function { intrinsics: Box::new([op.clone()]), ..Function::default() };
        let exact = matches!(
            kind,
            Kind::ByteSwap | Kind::BitReverse | Kind::FunnelShiftLeft | Kind::FunnelShiftRight
        );
        check(&Op::Intrinsic { index: 0 }, &function, &registers, &bits, exact, |frame| {
            intrinsics::intrinsic(frame, &op)?.ok()
        });

        let src = [(Leaf::Int(13), 0), (Leaf::Float(FloatFormat::X87), 1), (Leaf::Int(35), 3)];
        let dst = [(Leaf::Int(100), 8), (Leaf::Int(28), 10)];
        let repacking = Repack { src: src.into(), dst: dst.into() };
        let bits = undefined(&[(0, 0x1001), (1, 1 << 63 | 1), (3, 1 << 20)]);
        let function = Function { repacks: Box::new([repacking.clone()]), ..Function::default() };
        check(&Op::Repack { index: 0 }, &function, &registers, &bits, true, |frame| {
            repack::repack(frame, &repacking);
            Some(())
        });
    }
}

#[test]
fn decisions_and_accesses() {
    let switch = Switch { value: 0, cases: Box::new([(1, 0), (2, 0)]), default: 0 };
    let alloca = Alloca { size: 4, count: Some(0), align: 4, name: "".into(), shape: 0 };
    let function =
        Function { switches: Box::new([switch]), allocas: Box::new([alloca]), ..Function::default() };
    let registers = [0x10, 0, 0x20, 0, 0];
    let check = |op: Op, bits: &[(Slot, u64)], expected: Propagation| {
        assert_eq!(propagate(&op, &function, &registers, &undefined(bits)), expected, "{op:?}");
    };
    let nothing = || Propagation::Written(SmallVec::new());
    check(Op::Load { bytes: 4, dst: 4, ptr: 0, offset: 0 }, &[(0, 1)], Propagation::Decides("address"));
    check(Op::Load { bytes: 4, dst: 4, ptr: 0, offset: 0 }, &[(2, 1)], Propagation::Special);
    check(Op::Store { bytes: 4, src: 2, ptr: 0, offset: 0 }, &[(2, 1)], Propagation::Special);
    check(Op::MemCopy { dst: 0, src: 2, len: 4 }, &[(0, 1)], Propagation::Special);
    check(Op::MemCopy { dst: 0, src: 2, len: 2 }, &[(0, 1)], Propagation::Decides("address"));
    check(Op::MemCopy { dst: 0, src: 2, len: 4 }, &[(4, 1)], Propagation::Decides("length"));
    check(Op::BranchIf { cond: 0, target: 0 }, &[(0, 1)], nothing());
    check(Op::BranchIf { cond: 1, target: 0 }, &[(1, 1)], Propagation::Decides("branch"));
    check(Op::Switch { index: 0 }, &[(0, 1)], nothing());
    check(Op::Switch { index: 0 }, &[(0, 0x11)], Propagation::Decides("switch"));
    check(Op::IndirectBranch { ptr: 0 }, &[(0, 1)], Propagation::Decides("branch"));
    check(Op::Alloca { dst: 2, index: 0 }, &[(0, 1)], Propagation::Decides("size"));
    check(Op::Undefined { dst: 3, count: 1 }, &[], one(3, u64::MAX));
    check(Op::Freeze { dst: 3, src: 0, count: 1 }, &[(0, 1), (3, 1)], one(3, 0));
    check(Op::MoveMany { dst: 3, src: 0, count: 2 }, &[(1, 6), (3, 1)], two(3, 0, 6));
    check(Op::IntToPtr { dst: 2, src: 0 }, &[(0, 3)], two(2, 3, 0));
    let float = Op::Float { op: FloatOp::Add, single: true, dst: 2, a: 0, b: 1 };
    check(float, &[(1, 1)], one(2, mask(32)));
    check(float, &[(2, 1)], one(2, 0));
}
