// selvedge: run
// expect-some: violation panic line 26
// seeds: 20

//! Unsynchronised increments of a `static mut`: an update gets lost in some schedules.

use std::thread;

static mut COUNTER: u32 = 0;

fn increment_twice() {
    let counter = &raw mut COUNTER;
    for _ in 0..2 {
        // SAFETY: none: this is the bug.
        unsafe { *counter += 1 };
    }
}

fn main() {
    let one = thread::spawn(increment_twice);
    let two = thread::spawn(increment_twice);
    one.join().unwrap();
    two.join().unwrap();
    let total = unsafe { *&raw const COUNTER };
    println!("total {total}");
    assert_eq!(total, 4); // fault: an increment was lost
}
