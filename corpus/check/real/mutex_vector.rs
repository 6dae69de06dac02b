// selvedge: check -- 2
// expect: verified

//! Threads push into one vector behind `Arc<Mutex<_>>`.

use std::sync::{Arc, Mutex};
use std::thread;

fn main() {
    let count: u32 = std::env::args().nth(1).map_or(3, |argument| argument.parse().unwrap());
    let numbers = Arc::new(Mutex::new(Vec::new()));
    let threads: Vec<_> = (0..count)
        .map(|number| {
            let numbers = Arc::clone(&numbers);
            thread::spawn(move || numbers.lock().unwrap().push(number))
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    let mut numbers = Arc::into_inner(numbers).unwrap().into_inner().unwrap();
    numbers.sort_unstable();
    assert!(numbers.into_iter().eq(0..count));
}
