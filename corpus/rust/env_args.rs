// selvedge: run -- warp 12 -3 --edge=left
// expect: exit 0
// native: same
// stdout: 4 arguments
// stdout: 0: word WARP
// stdout: 1: number 24
// stdout: 2: number -6
// stdout: 3: edge is left
// stdout: unset variable: Err(NotPresent)

//! Program arguments arrive unchanged and can be parsed.

use std::env;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    println!("{} arguments", arguments.len());
    for (index, argument) in arguments.iter().enumerate() {
        match argument.parse::<i64>() {
            Ok(number) => println!("{index}: number {}", number * 2),
            Err(_) => match argument.split_once('=') {
                Some((key, value)) => println!("{index}: {} is {value}", key.trim_start_matches('-')),
                None => println!("{index}: word {}", argument.to_uppercase()),
            },
        }
    }
    println!("unset variable: {:?}", env::var("SELVEDGE_CORPUS_UNSET"));
}
