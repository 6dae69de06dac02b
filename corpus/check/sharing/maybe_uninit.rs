// selvedge: check
// expect: violation panic
// selvedge: check --model sc
// expect: violation panic
// The pointer is copied as bytes that may be undefined.
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
    let mut m = [MaybeUninit::<u8>::uninit(); 9]; unsafe { ptr::copy_nonoverlapping(&n as *const _ as *const MaybeUninit<u8>, m.as_mut_ptr().add(1), 8) };
    let other = thread::spawn(move || {
        let q: *const AtomicU32 = unsafe { { let m = m; let mut q = MaybeUninit::<*const AtomicU32>::uninit(); ptr::copy_nonoverlapping(m.as_ptr().add(1), q.as_mut_ptr() as *mut MaybeUninit<u8>, 8); q.assume_init() } };
        increment(unsafe { &*q });
    });
    increment(unsafe { &*n });
    other.join().unwrap();
    assert_eq!(unsafe { &*n }.load(SeqCst), 2);
}
