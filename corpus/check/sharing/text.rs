// selvedge: check
// expect: violation panic
// selvedge: check --model sc
// expect: violation panic
// The address is printed and parsed.
#![allow(unused)]
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicUsize, Ordering::SeqCst};
use std::thread;

fn increment(n: &AtomicU32) {
    let v = n.load(SeqCst);
    n.store(v + 1, SeqCst);
}

fn main() {
    let n: *mut AtomicU32 = Box::into_raw(Box::new(AtomicU32::new(0)));
    let s = format!("{:?}", n);
    let other = thread::spawn(move || {
        let q: *const AtomicU32 = unsafe { usize::from_str_radix(&s[2..], 16).unwrap() as *const AtomicU32 };
        increment(unsafe { &*q });
    });
    increment(unsafe { &*n });
    other.join().unwrap();
    assert_eq!(unsafe { &*n }.load(SeqCst), 2);
}
