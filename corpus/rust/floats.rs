// selvedge: run
// expect: exit 0
// native: same

//! f32 and f64: arithmetic, rounding, special values, conversion, comparison, bits, parsing, printing.

use std::f64::consts::PI;

fn main() {
    println!("{} {} {} {}", 0.1 + 0.2, 1.0 / 3.0, 1.0f32 / 3.0, 1e21);
    println!("{} {} {} {}", f64::MAX, f64::MIN_POSITIVE, f32::EPSILON, 5e-324);
    println!("{} {} {} {:?}", f64::NAN, f64::INFINITY, -0.0, 1.0);
    println!("{} {} {}", 0.0 == -0.0, f64::NAN.max(1.0) > 2.0, (0.0f64 / 0.0).is_nan());
    println!("{:?} {:?}", 1.0f64.partial_cmp(&f64::NAN), (-0.0f64).total_cmp(&0.0));
    for value in [2.5f64, -2.5, 3.49, -0.4] {
        let rounded = (value.floor(), value.ceil(), value.round(), value.trunc(), value.round_ties_even());
        println!("{value}: {rounded:?} {:.3}", value.fract());
    }
    println!("{:.6} {:.6} {:.6}", (PI / 6.0).sin(), (PI / 3.0).cos(), 1.0f64.tan());
    println!("{:.6} {:.6} {:.6}", 2.0f64.ln(), 1.0f64.exp(), 1000.0f64.log10());
    println!("{} {} {:.6}", 2.0f64.sqrt(), 2.0f64.powi(-3), 2.0f64.powf(0.5));
    println!("{} {:.6} {:.6}", 3.0f64.hypot(4.0), 1.0f64.atan2(-1.0), 0.5f64.tanh());
    println!("{} {} {}", 7.5f64 % 2.0, (-7.5f64).rem_euclid(2.0), 2.0f64.mul_add(3.0, 4.0));
    println!("{} {} {} {}", 300.7 as u8, -1.5 as u32, f64::NAN as i32, 1e20 as i64);
    println!("{} {} {}", u64::MAX as f64, i32::MIN as f32, 16777217 as f32);
    println!("{:x} {:x} {}", 1.5f64.to_bits(), (-2.0f32).to_bits(), f64::from_bits(0x4009_21fb_5444_2d18));
    println!("{:?} {:?} {:?}", "1.5e3".parse::<f64>(), "inf".parse::<f32>(), "x".parse::<f64>().is_err());
    println!("{} {} {}", 1.0f64.max(f64::NAN), 3.0f64.clamp(0.0, 2.0), (-3.0f64).signum());
    println!("{} {}", f64::from(0.1f32), 0.1f64 as f32);
    let mean = [1.5f32, 2.25, 3.75].iter().sum::<f32>() / 3.0;
    println!("{mean} {:.0} {:.1} {:10.4e}", 0.5, 0.25, 12345.678);
    println!("{} {}", 3.7f64.copysign(-1.0), 8f64.cbrt());
}
