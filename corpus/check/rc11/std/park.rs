// selvedge: check --model rc11
// expect: verified
//
// Who parks goes on when it was unparked, before or after, and sees what was written before that.
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

static READY: AtomicBool = AtomicBool::new(false);

fn main() {
    let other = thread::spawn(|| {
        while !READY.load(Ordering::Relaxed) {
            thread::park();
        }
    });
    READY.store(true, Ordering::Relaxed);
    other.thread().unpark();
    other.join().unwrap();
}
