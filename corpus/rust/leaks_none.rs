// selvedge: run --leaks
// expect: exit 0
// seeds: 3
// native: same
// stdout: 4 2

//! What is still reachable at the end, or was freed, is no leak.

use std::sync::{Mutex, OnceLock};
use std::thread;

static KEPT: OnceLock<Box<[u32; 4]>> = OnceLock::new();
static NAMES: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn main() {
    let values = KEPT.get_or_init(|| Box::new([1, 2, 3, 4]));
    let threads: Vec<_> =
        (0..2).map(|id| thread::spawn(move || NAMES.lock().unwrap().push(format!("thread {id}")))).collect();
    for thread in threads {
        thread.join().unwrap();
    }
    println!("{} {}", values.len(), NAMES.lock().unwrap().len());
}
