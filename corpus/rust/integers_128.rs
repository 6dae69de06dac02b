// selvedge: run
// expect: exit 0
// native: same
// stdout: 340282366920938463463374607431768211455 -170141183460469231731687303715884105728
// stdout: 34! = 295232799039604140847618609643520000000
// stdout: None
// stdout: 0xd13f6370f96865df5dd54000000
// stdout: 1131295851917031226
// stdout: -170141182269480955845320612 -798639821 35
// stdout: -144115188075856 288086260963635888
// stdout: 128 100 127
// stdout: efcdab89674523010000000000000000 38
// stdout: 18446744073709551615 18446744073709552000
// stdout: true -5
// stdout: (1, true) None
// stdout: true
// stdout: Ok(-123456789012345678901234567890)

//! 128-bit arithmetic: multiplication, division, shifts, bit counts, conversions.

fn factorial(n: u128) -> u128 {
    (1..=n).product()
}

fn power_mod(mut base: u128, mut exponent: u128, modulus: u128) -> u128 {
    let mut result = 1;
    base %= modulus;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result * base % modulus;
        }
        base = base * base % modulus;
        exponent >>= 1;
    }
    result
}

fn main() {
    println!("{} {}", u128::MAX, i128::MIN);
    println!("34! = {}", factorial(34));
    println!("{:?}", factorial(34).checked_mul(35));
    println!("{:#x}", factorial(30));
    println!("{}", power_mod(3, 1 << 40, (1 << 61) - 1));
    let signed = -170141183460469231731687303715884105i128;
    println!("{} {} {}", signed / 1_000_000_007, signed % 1_000_000_007, signed.rem_euclid(97));
    println!("{} {}", signed >> 70, (signed as u128) >> 70);
    println!("{} {} {}", u128::MAX.count_ones(), (1u128 << 100).trailing_zeros(), 1u128.leading_zeros());
    println!("{:x} {:x}", 0x0123_4567_89ab_cdefu128.swap_bytes(), (1u128 << 127 | 3).rotate_left(4));
    println!("{} {}", u128::MAX as u64, (1u128 << 64) as f64);
    println!("{:?} {:?}", u64::try_from(1u128 << 64).is_err(), i128::from(-5i64));
    println!("{:?} {:?}", u128::MAX.overflowing_add(2), i128::MAX.checked_add(1));
    println!("{:?}", "340282366920938463463374607431768211456".parse::<u128>().is_err());
    println!("{:?}", "-123456789012345678901234567890".parse::<i128>());
}
