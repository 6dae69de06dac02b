// selvedge: run
// expect: violation abort

//! A promise to the compiler that is not kept: the library's own check notices and aborts.

fn weekday(number: u32) -> &'static str {
    match number {
        0 => "Monday",
        1 => "Tuesday",
        2 => "Wednesday",
        // SAFETY: none: the caller below passes 3.
        _ => unsafe { std::hint::unreachable_unchecked() },
    }
}

fn main() {
    for number in 0..4 {
        println!("{}", weekday(number));
    }
}
