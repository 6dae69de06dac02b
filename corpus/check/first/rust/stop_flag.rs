// selvedge: check
// expect: verified
// A thread works until it is told to stop.
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

static STOP: AtomicBool = AtomicBool::new(false);

fn main() {
    let worker = thread::spawn(|| {
        while !STOP.load(Ordering::Relaxed) {
            thread::yield_now();
        }
    });
    let other = thread::spawn(|| STOP.store(true, Ordering::Relaxed));
    worker.join().unwrap();
    other.join().unwrap();
}
