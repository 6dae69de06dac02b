// selvedge: run
// expect-some: violation deadlock
// seeds: 20

//! Two locks taken in opposite orders: some schedules deadlock.

use std::sync::{Arc, Mutex};
use std::thread;

fn main() {
    let left = Arc::new(Mutex::new(1));
    let right = Arc::new(Mutex::new(2));
    let (left_too, right_too) = (Arc::clone(&left), Arc::clone(&right));
    let one = thread::spawn(move || {
        let a = left.lock().unwrap();
        let b = right.lock().unwrap();
        *a + *b
    });
    let two = thread::spawn(move || {
        let b = right_too.lock().unwrap();
        let a = left_too.lock().unwrap();
        *a * *b
    });
    println!("{} {}", one.join().unwrap(), two.join().unwrap());
}
