// selvedge: run
// expect: violation panic
// seeds: 3

//! An assertion fails in a thread; `main` unwraps the join and goes down with it.

use std::thread;

fn main() {
    let worker = thread::spawn(|| {
        let total: u32 = (1..=4).sum();
        assert_eq!(total, 11, "the sum is wrong");
        total
    });
    let total = worker.join().unwrap();
    println!("never printed {total}");
}
