// selvedge: check --cflags=-Cdebug-assertions=off
// expect: violation panic
// selvedge: check --model sc --cflags=-Cdebug-assertions=off
// expect: violation panic
// The thread reaches the node only through an `AtomicPtr`, whose `new` is compiled to a conversion in a local variable.
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering::SeqCst};
use std::thread;

fn increment(n: &AtomicU32) {
    let v = n.load(SeqCst);
    n.store(v + 1, SeqCst);
}

fn main() {
    let node = Box::into_raw(Box::new(AtomicU32::new(0)));
    let top: &'static AtomicPtr<AtomicU32> = Box::leak(Box::new(AtomicPtr::new(node)));
    let other = thread::spawn(move || increment(unsafe { &*top.load(SeqCst) }));
    increment(unsafe { &*node });
    other.join().unwrap();
    assert_eq!(unsafe { &*node }.load(SeqCst), 2);
}
