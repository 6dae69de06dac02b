// selvedge: run
// expect: exit 0
// seeds: 4
// native: same
// stdout: 10! = 3628800
// stdout: from a detached thread

//! Polling `is_finished` ends once the thread is done; detached threads may outlive their handle.

use std::sync::mpsc;
use std::thread;

fn main() {
    let worker = thread::spawn(|| (1..=10u32).product::<u32>());
    let mut polls = 0u64;
    while !worker.is_finished() {
        polls += 1;
        thread::yield_now();
    }
    assert!(polls < u64::MAX);
    println!("10! = {}", worker.join().unwrap());

    let (sender, receiver) = mpsc::channel();
    drop(thread::spawn(move || sender.send("from a detached thread").unwrap()));
    println!("{}", receiver.recv().unwrap());
}
