// selvedge: run
// expect: violation abort

//! `process::abort` is reported, whoever calls it.

use std::process;

fn main() {
    let healthy = std::env::args().count() > 100;
    println!("healthy: {healthy}");
    if !healthy {
        process::abort();
    }
}
