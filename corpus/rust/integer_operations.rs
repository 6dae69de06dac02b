// selvedge: run
// expect: exit 0
// native: same

//! Checked, wrapping, saturating and overflowing operations at every width, shifts, bits, casts, parsing.

macro_rules! edges {
    ($($t:ty),*) => {$(
        println!(
            "{}: {:?} {} {} {:?} {:?} {:?}",
            stringify!($t),
            <$t>::MAX.checked_add(1),
            <$t>::MAX.wrapping_add(1),
            <$t>::MIN.saturating_sub(1),
            <$t>::MAX.overflowing_mul(2),
            (5 as $t).checked_div(0),
            (1 as $t).checked_shl(<$t>::BITS),
        );
    )*};
}

fn main() {
    edges!(i8, u8, i16, u16, i32, u32, i64, u64, isize, usize);
    println!("{:?} {} {}", i32::MIN.checked_div(-1), i32::MIN.wrapping_abs(), i32::MIN.unsigned_abs());
    println!("{} {} {}", -7 / 2, -7 % 2, (-7i32).div_euclid(2));
    println!("{} {} {}", -8 >> 1, (-8i32 as u32) >> 1, 1u8.rotate_right(1));
    println!("{} {} {}", 40u32.leading_zeros(), 40u64.trailing_zeros(), 0u16.leading_zeros());
    println!("{} {} {}", 0b1011u8.count_ones(), 0x1234u16.swap_bytes(), 6u8.reverse_bits());
    println!("{} {} {} {}", 300i32 as u8, -1i8 as u64, 0xffff_u16 as i16, 'a' as u8 + 1);
    println!("{:?} {:?}", u8::try_from(256), i8::try_from(-128i64));
    println!("{} {:?} {}", 2i32.pow(10), 3u8.checked_pow(6), 10u32.isqrt());
    println!("{} {} {}", 17u32.next_power_of_two(), 16u32.is_power_of_two(), 1000u32.ilog10());
    println!("{} {}", 5u8.abs_diff(250), 200u8.midpoint(100));
    println!("{:?} {:?}", "42".parse::<u8>(), "+42".parse::<i16>());
    for text in ["", "256", "-1", "4 2", "0x10"] {
        println!("{text:?}: {}", text.parse::<u8>().unwrap_err());
    }
    println!("{:?} {:?}", i64::from_str_radix("-zz", 36), u32::from_str_radix("1012", 2).is_err());
    println!("{:?} {}", 0x12345678u32.to_be_bytes(), i16::from_le_bytes([0xfe, 0xff]));
    println!("{} {}", u64::MAX.wrapping_mul(u64::MAX), i64::MAX.wrapping_neg());
    println!("{:?}", 250u8.carrying_sum(10));
}

trait CarryingSum: Sized {
    fn carrying_sum(self, other: Self) -> (Self, bool);
}

impl CarryingSum for u8 {
    fn carrying_sum(self, other: u8) -> (u8, bool) {
        self.overflowing_add(other)
    }
}
