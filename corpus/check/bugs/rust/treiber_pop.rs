// selvedge: check
// expect: violation memory

//! A lock-free stack frees a node as soon as it is popped, while another thread may be about to read its link.

use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::thread;

struct Node {
    value: u32,
    next: *mut Node,
}

struct Stack {
    top: AtomicPtr<Node>,
}

impl Stack {
    fn push(&self, value: u32) {
        let node = Box::into_raw(Box::new(Node { value, next: ptr::null_mut() }));
        loop {
            let top = self.top.load(Ordering::Acquire);
            unsafe { (*node).next = top };
            if self.top.compare_exchange(top, node, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
                return;
            }
        }
    }

    fn pop(&self) -> Option<u32> {
        loop {
            let top = self.top.load(Ordering::Acquire);
            if top.is_null() {
                return None;
            }
            let next = unsafe { (*top).next };
            if self.top.compare_exchange(top, next, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
                return Some(unsafe { Box::from_raw(top) }.value);
            }
        }
    }
}

fn main() {
    let stack = Stack { top: AtomicPtr::new(ptr::null_mut()) };
    stack.push(1);
    stack.push(2);
    thread::scope(|scope| {
        let other = scope.spawn(|| stack.pop());
        let here = stack.pop();
        assert!(here != other.join().unwrap());
    });
}
