// selvedge: check
// expect: violation panic
// selvedge: check --model sc
// expect: violation panic
// The address is stored as a number, moved by something.
#![allow(unused)]
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicUsize, Ordering::SeqCst};
use std::thread;

static A: AtomicUsize = AtomicUsize::new(0);

fn increment(n: &AtomicU32) {
    let v = n.load(SeqCst);
    n.store(v + 1, SeqCst);
}

fn main() {
    let n: *mut AtomicU32 = Box::into_raw(Box::new(AtomicU32::new(0)));
    A.store(n as usize + 3, SeqCst);
    let other = thread::spawn(move || {
        let q: *const AtomicU32 = unsafe { (A.load(SeqCst) - 3) as *const AtomicU32 };
        increment(unsafe { &*q });
    });
    increment(unsafe { &*n });
    other.join().unwrap();
    assert_eq!(unsafe { &*n }.load(SeqCst), 2);
}
