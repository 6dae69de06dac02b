// selvedge: run
// expect: violation panic line 11

//! `unwrap` on `None`: the position reported is the caller's, not the library's.

use std::collections::HashMap;

fn main() {
    let ages = HashMap::from([("ada", 36), ("alan", 41)]);
    println!("ada is {}", ages.get("ada").unwrap());
    let missing = ages.get("grace").unwrap(); // fault: there is no grace
    println!("grace is {missing}");
}
