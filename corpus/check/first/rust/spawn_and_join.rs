// selvedge: check
// expect: verified
// Three threads, and main waits for each.
use std::thread;

fn main() {
    let handles: Vec<_> = (1..=3).map(|number: u32| thread::spawn(move || number * number)).collect();
    let total: u32 = handles.into_iter().map(|handle| handle.join().unwrap()).sum();
    assert_eq!(total, 14);
}
