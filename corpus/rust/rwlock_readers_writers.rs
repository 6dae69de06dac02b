// selvedge: run
// expect: exit 0
// seeds: 5
// native: same
// stdout: pair (6, 12)
// stdout: two readers at once: 6 12
// stdout: writer must wait: true
// stdout: writer may go: true

//! Readers never see a half-written pair.

use std::sync::{Arc, RwLock};
use std::thread;

fn main() {
    let pair = Arc::new(RwLock::new((0u32, 0u32)));
    let mut handles = Vec::new();
    for _ in 0..2 {
        let pair = Arc::clone(&pair);
        handles.push(thread::spawn(move || {
            for _ in 0..3 {
                let mut guard = pair.write().unwrap();
                guard.0 += 1;
                guard.1 += 2;
            }
        }));
    }
    for _ in 0..2 {
        let pair = Arc::clone(&pair);
        handles.push(thread::spawn(move || {
            for _ in 0..3 {
                let guard = pair.read().unwrap();
                assert_eq!(guard.1, 2 * guard.0);
            }
        }));
    }
    for handle in handles {
        handle.join().unwrap();
    }
    println!("pair {:?}", *pair.read().unwrap());
    let first = pair.read().unwrap();
    let second = pair.read().unwrap();
    println!("two readers at once: {} {}", first.0, second.1);
    println!("writer must wait: {}", pair.try_write().is_err());
    drop((first, second));
    println!("writer may go: {}", pair.try_write().is_ok());
}
