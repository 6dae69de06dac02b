// selvedge: run
// expect: exit 0
// stdin: apples 3
// stdin: pears 5
// stdin: plums many
// stdin: apples 4
// native: same
// stdout: first line has 9 bytes: "apples 3"
// stdout: line 3: invalid digit found in string
// stdout: {"apples": 7, "pears": 5}
// stdout: at the end: true

//! Reads standard input line by line and then to its end.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Read};

fn main() -> io::Result<()> {
    let mut first = String::new();
    let read = io::stdin().read_line(&mut first)?;
    println!("first line has {read} bytes: {:?}", first.trim_end());
    let mut totals: BTreeMap<String, u32> = BTreeMap::new();
    let mut rest = first;
    io::stdin().lock().read_to_string(&mut rest)?;
    for (number, line) in rest.as_bytes().lines().enumerate() {
        let line = line?;
        let (name, amount) = line.split_once(' ').unwrap_or((&line, ""));
        match amount.parse::<u32>() {
            Ok(amount) => *totals.entry(name.to_owned()).or_default() += amount,
            Err(error) => println!("line {}: {error}", number + 1),
        }
    }
    println!("{totals:?}");
    println!("at the end: {}", io::stdin().lines().next().is_none());
    Ok(())
}
