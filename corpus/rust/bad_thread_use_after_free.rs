// selvedge: run
// expect-some: violation memory line 15
// seeds: 20

//! A thread reads through a pointer into a value that its owner may already have freed.

use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

struct Borrowed(*const AtomicU32);

impl Borrowed {
    fn read(&self) -> u32 {
        // fault: nothing says that the owner waits
        unsafe { (*self.0).load(Ordering::Relaxed) }
    }
}

// SAFETY: there is none: this is the fault.
unsafe impl Send for Borrowed {}

fn main() {
    let shared = Box::new(AtomicU32::new(5));
    let borrowed = Borrowed(&raw const *shared);
    let reader = thread::spawn(move || borrowed.read());
    drop(shared);
    println!("reader finished: {}", reader.join().is_ok());
}
