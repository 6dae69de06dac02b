// selvedge: run
// expect: violation panic line 13
// stdin: 12
// stdin: twelve

//! `expect` on an `Err`, caused by a line of standard input.

use std::io::BufRead;

fn main() {
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let number: i32 = line.parse().expect("every line is a number"); // fault: the second line is no number
        println!("twice {}", number * 2);
    }
}
