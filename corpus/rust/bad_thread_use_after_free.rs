// selvedge: run
// expect-some: violation memory
// seeds: 20

//! A thread reads through a pointer into a value that its owner may already have freed.

use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

fn main() {
    let shared = Box::new(AtomicU32::new(5));
    let address = &raw const *shared as usize;
    let reader = thread::spawn(move || {
        let pointer = address as *const AtomicU32;
        unsafe { (*pointer).load(Ordering::Relaxed) }
    });
    drop(shared);
    println!("reader finished: {}", reader.join().is_ok());
}
