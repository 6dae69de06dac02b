// selvedge: check
// expect: verified
// Each thread counts for itself.
use std::cell::Cell;
use std::thread;

thread_local! {
    static COUNT: Cell<u32> = const { Cell::new(0) };
}

fn count(times: u32) -> u32 {
    (0..times).for_each(|_| COUNT.set(COUNT.get() + 1));
    COUNT.get()
}

fn main() {
    let handles: Vec<_> = (1..3).map(|times| thread::spawn(move || count(times))).collect();
    assert_eq!(count(3), 3);
    let counts: Vec<u32> = handles.into_iter().map(|handle| handle.join().unwrap()).collect();
    assert_eq!(counts, [1, 2]);
}
