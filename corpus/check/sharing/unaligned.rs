// selvedge: check
// expect: violation panic
// selvedge: check --model sc
// expect: violation panic
// The pointer is written to an odd place.
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
    let mut b = vec![0u8; 32]; unsafe { ptr::write_unaligned(b.as_mut_ptr().add(3) as *mut *mut AtomicU32, n) };
    let other = thread::spawn(move || {
        let q: *const AtomicU32 = unsafe { ptr::read_unaligned(b.as_ptr().add(3) as *const *const AtomicU32) };
        increment(unsafe { &*q });
    });
    increment(unsafe { &*n });
    other.join().unwrap();
    assert_eq!(unsafe { &*n }.load(SeqCst), 2);
}
