// selvedge: check
// expect: violation data-race

//! A `static mut` counts requests of two threads.

use std::thread;

static mut REQUESTS: u32 = 0;

fn handle_request() {
    unsafe { REQUESTS += 1 };
}

fn requests() -> u32 {
    unsafe { REQUESTS }
}

fn main() {
    let other = thread::spawn(handle_request);
    handle_request();
    other.join().unwrap();
    assert_eq!(requests(), 2);
}
