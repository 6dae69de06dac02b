// selvedge: run
// expect: exit 0
// native: same
// stdout: 1 2 3 4 4
// stdout: sse2 true, 42
//
// What the standard library asks the processor: only what every x86-64 has is there. Wide integers are matched.
fn number(x: u128) -> u32 {
    match x {
        0 => 1,
        7 => 2,
        0x1_0000_0000_0000_0000 => 3,
        _ => 4,
    }
}

fn sum(numbers: &[u32]) -> u32 {
    if is_x86_feature_detected!("avx2") { numbers.iter().rev().sum() } else { numbers.iter().sum() }
}

fn main() {
    let of = |x| number(std::hint::black_box(x));
    println!("{} {} {} {} {}", of(0), of(7), of(1 << 64), of(1 << 64 | 7), of(u128::MAX));
    println!("sse2 {}, {}", is_x86_feature_detected!("sse2"), sum(&[40, 2]));
}
