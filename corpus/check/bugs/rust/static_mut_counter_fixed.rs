// selvedge: check
// expect: verified

//! A static atomic counts requests of two threads.

use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

static REQUESTS: AtomicU32 = AtomicU32::new(0);

fn handle_request() {
    REQUESTS.fetch_add(1, Ordering::Relaxed);
}

fn requests() -> u32 {
    REQUESTS.load(Ordering::Relaxed)
}

fn main() {
    let other = thread::spawn(handle_request);
    handle_request();
    other.join().unwrap();
    assert_eq!(requests(), 2);
}
