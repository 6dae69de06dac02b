// selvedge: run
// expect: exit 0
// seeds: 3
// native: same
// stdout: 0: value 10
// stdout: 1: panicked with "thread 1 refuses"
// stdout: 2: value 30
// stdout: 3: panicked with "index out of bounds: the len is 3 but the index is 3"
// stdout: drops 4

//! A thread that panics gives `Err` with its payload to whoever joins it; the others go on.

use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

static DROPS: AtomicU32 = AtomicU32::new(0);

struct Owned;

impl Drop for Owned {
    fn drop(&mut self) {
        DROPS.fetch_add(1, Ordering::SeqCst);
    }
}

fn main() {
    let handles: Vec<_> = (0..4u32)
        .map(|id| {
            thread::spawn(move || {
                let _owned = Owned;
                let numbers = [10, 20, 30];
                assert!(id != 1, "thread {id} refuses");
                numbers[id as usize % 4]
            })
        })
        .collect();
    for (id, handle) in handles.into_iter().enumerate() {
        match handle.join() {
            Ok(value) => println!("{id}: value {value}"),
            Err(payload) => match payload.downcast_ref::<String>() {
                Some(text) => println!("{id}: panicked with {text:?}"),
                None => println!("{id}: panicked"),
            },
        }
    }
    println!("drops {}", DROPS.load(Ordering::SeqCst));
}
