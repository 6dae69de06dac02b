// selvedge: run
// expect: violation panic line 9

//! Arithmetic overflow in an unoptimised build.

fn triangle(n: u8) -> u8 {
    let mut total = 0u8;
    for i in 1..=n {
        total += i; // fault: 1 + 2 + ... + 23 does not fit
    }
    total
}

fn main() {
    println!("{}", triangle(22));
    println!("{}", triangle(23));
}
