// selvedge: run
// expect: exit 42
// seeds: 3
// native: same
// stdout: leaving

//! `process::exit` ends the program with its code, whatever other threads are doing.

use std::process;
use std::thread;

struct Loud;

impl Drop for Loud {
    fn drop(&mut self) {
        println!("never printed: exit does not unwind");
    }
}

fn main() {
    let _loud = Loud;
    thread::spawn(|| loop {
        thread::park();
    });
    println!("leaving");
    process::exit(6 * 7);
}
