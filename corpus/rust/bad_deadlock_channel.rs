// selvedge: run
// expect: violation deadlock
// seeds: 3

//! Two threads wait for each other's message first.

use std::sync::mpsc;
use std::thread;

fn main() {
    let (to_left, left) = mpsc::channel::<u32>();
    let (to_right, right) = mpsc::channel::<u32>();
    let partner = thread::spawn(move || {
        let question = right.recv().unwrap();
        to_left.send(question + 1).unwrap();
    });
    println!("waiting for an answer that was never asked for");
    let answer = left.recv().unwrap();
    to_right.send(answer).unwrap();
    partner.join().unwrap();
}
