// selvedge: check
// expect: violation memory

//! A thread gets a raw pointer to a value that its creator owns, and is joined when the value is gone.

use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::{self, JoinHandle};

struct Address(*const AtomicU32);

unsafe impl Send for Address {}

impl Address {
    fn raise(self) {
        unsafe { &*self.0 }.fetch_add(1, Ordering::SeqCst);
    }
}

fn start() -> Option<JoinHandle<()>> {
    let local = Box::new(AtomicU32::new(0));
    let address = Address(&*local);
    let helper = thread::spawn(move || address.raise());
    Some(helper)
}

fn main() {
    if let Some(helper) = start() {
        helper.join().unwrap();
    }
}
