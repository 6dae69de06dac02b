use super::*;
use crate::ops::random::Random;

fn run(op: &Intrinsic, args: &[u128]) -> (Option<Result<(), Trouble>>, u128) {
    let mut registers = vec![0; 24];
    for (index, &value) in args.iter().enumerate() {
        registers[4 * index] = value as u64;
        registers[4 * index + 1] = (value >> 64) as u64;
    }
    let outcome = intrinsic(&mut registers, op);
    (outcome, u128::from(registers[17]) << 64 | u128::from(registers[16]))
}

fn operation(kind: Kind, width: u32, format: FloatFormat) -> Intrinsic {
    let args = (0..kind.signature().required as u32).map(|index| 4 * index).collect();
    Intrinsic { kind, width, result_width: 8, format, dst: 16, args }
}

fn integer_of(kind: Kind, width: u32, args: &[u128]) -> u128 {
    let (outcome, value) = run(&operation(kind, width, FloatFormat::Double), args);
    assert!(matches!(outcome, Some(Ok(()))), "{kind:?}");
    value
}

const INTEGERS: [Kind; 18] = [
    Kind::CountLeadingZeros,
    Kind::CountTrailingZeros,
    Kind::PopulationCount,
    Kind::ByteSwap,
    Kind::BitReverse,
    Kind::FunnelShiftLeft,
    Kind::FunnelShiftRight,
    Kind::Abs,
    Kind::SMax,
    Kind::SMin,
    Kind::UMax,
    Kind::UMin,
    Kind::USubSat,
    Kind::UAddSat,
    Kind::SSubSat,
    Kind::SAddSat,
    Kind::UShlSat,
    Kind::SShlSat,
];

#[test]
fn integers_as_the_host_computes_them() {
    let mut random = Random(30);
    for _ in 0..2000 {
        let (a, b) = (random.word(), random.word());
        let (x, y) = (a as i64, b as i64);
        let amount = random.below(64) as u32;
        let check = |kind, args: &[u64], expected: u64| {
            let args: Vec<u128> = args.iter().map(|&value| value.into()).collect();
            assert_eq!(integer_of(kind, 64, &args), expected.into(), "{kind:?} {a:x} {b:x}");
        };
        check(Kind::CountLeadingZeros, &[a], a.leading_zeros().into());
        check(Kind::CountTrailingZeros, &[a], a.trailing_zeros().into());
        check(Kind::PopulationCount, &[a], a.count_ones().into());
        check(Kind::ByteSwap, &[a], a.swap_bytes());
        check(Kind::BitReverse, &[a], a.reverse_bits());
        check(Kind::FunnelShiftLeft, &[a, a, amount.into()], a.rotate_left(amount));
        check(Kind::FunnelShiftRight, &[a, a, amount.into()], a.rotate_right(amount));
        check(Kind::FunnelShiftLeft, &[a, b, 64], a);
        check(Kind::FunnelShiftRight, &[a, b, 64], b);
        check(Kind::Abs, &[a], x.wrapping_abs() as u64);
        check(Kind::SMax, &[a, b], x.max(y) as u64);
        check(Kind::SMin, &[a, b], x.min(y) as u64);
        check(Kind::UMax, &[a, b], a.max(b));
        check(Kind::UMin, &[a, b], a.min(b));
        check(Kind::USubSat, &[a, b], a.saturating_sub(b));
        check(Kind::UAddSat, &[a, b], a.saturating_add(b));
        check(Kind::SSubSat, &[a, b], x.saturating_sub(y) as u64);
        check(Kind::SAddSat, &[a, b], x.saturating_add(y) as u64);
        check(Kind::UCompare, &[a, b], a.cmp(&b) as i8 as u8 as u64);
        check(Kind::SCompare, &[a, b], x.cmp(&y) as i8 as u8 as u64);
    }
    assert_eq!(integer_of(Kind::CountLeadingZeros, 8, &[0]), 8);
    assert_eq!(integer_of(Kind::CountTrailingZeros, 24, &[0]), 24);
    assert_eq!(integer_of(Kind::ByteSwap, 16, &[0x1234]), 0x3412);
    assert_eq!(integer_of(Kind::SAddSat, 8, &[100, 100]), 127);
    assert_eq!(integer_of(Kind::SSubSat, 8, &[0x80, 1]), 0x80);
    assert_eq!(integer_of(Kind::UShlSat, 8, &[0x81, 1]), 0xff);
    assert_eq!(integer_of(Kind::SShlSat, 8, &[0x41, 1]), 0x7f);
    assert_eq!(integer_of(Kind::SShlSat, 8, &[0x81, 1]), 0x80);
    assert_eq!(integer_of(Kind::SShlSat, 8, &[0xff, 1]), 0xfe);
}

#[test]
fn limbs_and_words_agree() {
    let mut random = Random(31);
    for _ in 0..2000 {
        let width = 8 * (1 + random.below(16)) as u32;
        let [a, b, mut c] = [0; 3].map(|_: i32| random.wide() & mask_wide(width));
        if random.below(2) == 0 {
            c %= u128::from(width) + 2;
        }
        for kind in INTEGERS {
            let b = if matches!(kind, Kind::UShlSat | Kind::SShlSat) { c } else { b };
            let [x, y, z] = [a, b, c].map(|value| Integer::new(width, value));
            let narrow = integer_128(kind, width, a, || b, c).map(|value| value & mask_wide(width));
            // Eight bits cannot hold the width itself where the limbs need it.
            if width > 8 {
                let limbs = integer_any(kind, &x, || y.clone(), || z.clone()).map(|value| value.low());
                assert_eq!(narrow, limbs, "{kind:?} {width} {a:x} {b:x} {c:x}");
            }
        }
    }
    let shift = operation(Kind::UShlSat, 32, FloatFormat::Double);
    assert_eq!(run(&shift, &[1, 32]), (Some(Err(Trouble::Undefined)), 0));
}

#[test]
fn floats_as_the_host_computes_them() {
    let double = |kind, args: &[f64]| {
        let args: Vec<u128> = args.iter().map(|value| value.to_bits().into()).collect();
        let (outcome, value) = run(&operation(kind, 64, FloatFormat::Double), &args);
        assert!(matches!(outcome, Some(Ok(()))), "{kind:?}");
        f64::from_bits(value as u64)
    };
    for value in [0.0, -0.0, 0.5, 1.5, 2.5, -2.5, 1e300, f64::INFINITY, 0.3, -7.1] {
        let check = |kind, expected: f64| {
            let found = double(kind, &[value]);
            assert!(found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan(), "{kind:?}");
        };
        check(Kind::Sqrt, value.sqrt());
        check(Kind::FAbs, value.abs());
        check(Kind::Floor, value.floor());
        check(Kind::Ceil, value.ceil());
        check(Kind::Trunc, value.trunc());
        check(Kind::Rint, value.round_ties_even());
        check(Kind::NearbyInt, value.round_ties_even());
        check(Kind::RoundEven, value.round_ties_even());
        check(Kind::Round, value.round());
        check(Kind::Sin, value.sin());
        check(Kind::Cos, value.cos());
        check(Kind::Tan, value.tan());
        check(Kind::Exp, value.exp());
        check(Kind::Exp2, value.exp2());
        check(Kind::Log, value.ln());
        check(Kind::Log2, value.log2());
        check(Kind::Log10, value.log10());
    }
    assert_eq!(double(Kind::Fma, &[0.1, 10.0, -1.0]), 0.1f64.mul_add(10.0, -1.0));
    assert_eq!(double(Kind::Pow, &[2.0, 0.5]), 2f64.powf(0.5));
    assert_eq!(double(Kind::CopySign, &[2.0, -0.0]), -2.0);
    assert_eq!(double(Kind::MinNum, &[f64::NAN, 2.0]), 2.0);
    assert_eq!(double(Kind::MaxNum, &[3.0, f64::NAN]), 3.0);
    assert_eq!(double(Kind::MaxNum, &[3.0, 4.0]), 4.0);
    assert!(double(Kind::Minimum, &[f64::NAN, 2.0]).is_nan());
    assert!(double(Kind::Minimum, &[0.0, -0.0]).is_sign_negative());
    assert_eq!(double(Kind::PowI, &[3.0, f64::from_bits(4)]), 81.0);
    assert_eq!(double(Kind::PowI, &[2.0, f64::from_bits(-2i32 as u32 as u64)]), 0.25);
    assert_eq!(double(Kind::LdExp, &[3.0, f64::from_bits(4)]), 48.0);
    assert_eq!(double(Kind::LdExp, &[1.0, f64::from_bits(i32::MIN as u32 as u64)]), 0.0);
}

#[test]
fn software_rounds_like_the_host() {
    let mut random = Random(32);
    for _ in 0..3000 {
        let word = random.word();
        let value = f64::from_bits(word);
        for (kind, expected) in [
            (Kind::Floor, value.floor()),
            (Kind::Ceil, value.ceil()),
            (Kind::Trunc, value.trunc()),
            (Kind::Rint, value.round_ties_even()),
            (Kind::Round, value.round()),
        ] {
            let found = software(kind, FloatFormat::Double, word.into(), 0, 0, 0).unwrap();
            assert!(value.is_nan() || found == expected.to_bits().into(), "{kind:?} {value}");
        }
        let found = software(Kind::PowI, FloatFormat::Double, word.into(), 0, 0, 5).unwrap();
        let native = Arguments { a: value, b: 0.0, c: 0.0, exponent: 5 };
        let expected = native_float::double(Kind::PowI, native).unwrap();
        assert!(expected.is_nan() || found == expected.to_bits().into());
    }
}

#[test]
fn saturating_conversions() {
    let check = |kind, width, value: f64, expected: u64| {
        let (_, found) = run(&operation(kind, width, FloatFormat::Double), &[value.to_bits().into()]);
        assert_eq!(found, expected.into(), "{kind:?} {value}");
    };
    let (signed, unsigned) = (Kind::FloatToIntSatSigned, Kind::FloatToIntSatUnsigned);
    check(signed, 32, f64::NAN, 0);
    check(signed, 32, 1e30, 0x7fff_ffff);
    check(signed, 32, -1e30, 0x8000_0000);
    check(signed, 32, -1.9, 0xffff_ffff);
    check(signed, 32, f64::NEG_INFINITY, 0x8000_0000);
    check(unsigned, 8, 255.9, 255);
    check(unsigned, 8, 256.0, 255);
    check(unsigned, 8, -1.0, 0);
    check(unsigned, 64, f64::INFINITY, u64::MAX);
    let mut random = Random(33);
    for _ in 0..2000 {
        let value = f64::from_bits(random.word());
        check(signed, 64, value, value as i64 as u64);
        check(unsigned, 32, value, (value as u32).into());
        check(signed, 16, value, u64::from(value as i16 as u16));
    }
}

#[test]
fn classes() {
    for (value, bit) in [
        (0x7ff0_0000_0000_0001, 0),
        (f64::NAN.to_bits(), 1),
        (f64::NEG_INFINITY.to_bits(), 2),
        ((-1.0f64).to_bits(), 3),
        (1 << 63 | 1, 4),
        ((-0.0f64).to_bits(), 5),
        (0, 6),
        (1, 7),
        (1.0f64.to_bits(), 8),
        (f64::INFINITY.to_bits(), 9),
    ] {
        for asked in 0..10 {
            let op = operation(Kind::IsFpClass, 64, FloatFormat::Double);
            let (_, found) = run(&op, &[value.into(), 1 << asked]);
            assert_eq!(found, u128::from(asked == bit), "{value:x} {asked}");
        }
    }
}

#[test]
fn other_formats() {
    let half = |kind, args: &[u128]| run(&operation(kind, 16, FloatFormat::Half), args);
    assert_eq!(half(Kind::Sqrt, &[0x4400]), (Some(Ok(())), 0x4000));
    assert_eq!(half(Kind::Floor, &[0x3e00]), (Some(Ok(())), 0x3c00));
    assert_eq!(half(Kind::Fma, &[0x3c00, 0x4000, 0x3c00]), (Some(Ok(())), 0x4200));
    let x87 = |value: f64| formats::convert(FloatFormat::Double, FloatFormat::X87, value.to_bits().into());
    let extended = |kind, args: &[u128]| run(&operation(kind, 80, FloatFormat::X87), args);
    assert_eq!(extended(Kind::Sqrt, &[x87(2.25)]), (Some(Ok(())), x87(1.5)));
    assert_eq!(extended(Kind::Round, &[x87(-2.5)]), (Some(Ok(())), x87(-3.0)));
    assert_eq!(extended(Kind::Fma, &[x87(2.0), x87(3.0), x87(1.0)]), (Some(Ok(())), x87(7.0)));
    assert_eq!(extended(Kind::Sin, &[x87(1.0)]).0, Some(Err(Trouble::Unsupported)));
    assert_eq!(extended(Kind::PowI, &[x87(3.0), 2]), (Some(Ok(())), x87(9.0)));
    // The square root of two to 64 bits.
    assert_eq!(extended(Kind::Sqrt, &[x87(2.0)]).1, 0x3fff_b504_f333_f9de_6484);
    assert_eq!(extended(Kind::Pause, &[]).0, None);
    // Nothing panics on any bits.
    let mut random = Random(34);
    let formats = [FloatFormat::Half, FloatFormat::BFloat, FloatFormat::X87, FloatFormat::Quad];
    for _ in 0..3000 {
        let args = [random.wide(), random.wide(), random.wide()];
        for kind in [Kind::Sqrt, Kind::Fma, Kind::Rint, Kind::PowI, Kind::LdExp, Kind::Maximum] {
            let format = formats[random.below(4) as usize];
            let _ = run(&operation(kind, 64, format), &args);
        }
    }
}
