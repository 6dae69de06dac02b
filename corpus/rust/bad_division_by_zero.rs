// selvedge: run -- 10 5 0
// expect: violation panic line 9

//! Rust checks its divisors: a zero divisor is a panic, not a hardware trap.

fn main() {
    let numbers: Vec<i32> = std::env::args().skip(1).filter_map(|a| a.parse().ok()).collect();
    for pair in numbers.windows(2) {
        let quotient = pair[0] / pair[1]; // fault: 5 / 0
        println!("{} / {} = {quotient}", pair[0], pair[1]);
    }
}
