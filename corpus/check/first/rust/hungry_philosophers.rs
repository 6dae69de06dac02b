// selvedge: check
// expect: violation deadlock
// Three philosophers, each of whom takes the left fork first.
use std::sync::{Arc, Mutex};
use std::thread;

fn main() {
    let forks: Vec<_> = (0..3).map(|_| Arc::new(Mutex::new(()))).collect();
    let handles: Vec<_> = (0..3)
        .map(|number: usize| {
            let (left, right) = (Arc::clone(&forks[number]), Arc::clone(&forks[(number + 1) % 3]));
            thread::spawn(move || {
                let _left = left.lock().unwrap();
                let _right = right.lock().unwrap();
            })
        })
        .collect();
    for handle in handles {
        handle.join().unwrap();
    }
}
