// selvedge: check --model rc11
// expect: violation panic
// selvedge: check --model mca
// expect: verified
// selvedge: check --model rc11 --cflags '--cfg sequential'
// expect: verified
// selvedge: check --model mca --cflags '--cfg relaxed'
// expect: violation panic
//
// Two readers disagree on the order of two stores. Acquire and release do not forbid that, sequential consistency does, and so
// does any machine that makes a store visible to all others at once, as long as it does not exchange the loads.
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

static X: AtomicBool = AtomicBool::new(false);
static Y: AtomicBool = AtomicBool::new(false);

const STORE: Ordering = if cfg!(sequential) {
    Ordering::SeqCst
} else if cfg!(relaxed) {
    Ordering::Relaxed
} else {
    Ordering::Release
};
const LOAD: Ordering = if cfg!(sequential) {
    Ordering::SeqCst
} else if cfg!(relaxed) {
    Ordering::Relaxed
} else {
    Ordering::Acquire
};

fn look(first: &AtomicBool, second: &AtomicBool) -> (bool, bool) {
    let first = first.load(LOAD);
    (first, second.load(LOAD))
}

fn main() {
    let writers = [thread::spawn(|| X.store(true, STORE)), thread::spawn(|| Y.store(true, STORE))];
    let one = thread::spawn(|| look(&X, &Y));
    let other = thread::spawn(|| look(&Y, &X));
    let seen = (one.join().unwrap(), other.join().unwrap());
    for writer in writers {
        writer.join().unwrap();
    }
    assert_ne!(seen, ((true, false), (true, false)));
}
