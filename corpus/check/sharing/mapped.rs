// selvedge: check
// expect: violation panic
// selvedge: check --model sc
// expect: violation panic
// The pointer is tagged through the interface for strict provenance.
#![allow(unused)]
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicUsize, Ordering::SeqCst};
use std::thread;

static A: AtomicPtr<AtomicU32> = AtomicPtr::new(ptr::null_mut());

fn increment(n: &AtomicU32) {
    let v = n.load(SeqCst);
    n.store(v + 1, SeqCst);
}

fn main() {
    let n: *mut AtomicU32 = Box::into_raw(Box::new(AtomicU32::new(0)));
    A.store(n.map_addr(|a| a | 1), SeqCst);
    let other = thread::spawn(move || {
        let q: *const AtomicU32 = unsafe { A.load(SeqCst).map_addr(|a| a & !1) };
        increment(unsafe { &*q });
    });
    increment(unsafe { &*n });
    other.join().unwrap();
    assert_eq!(unsafe { &*n }.load(SeqCst), 2);
}
