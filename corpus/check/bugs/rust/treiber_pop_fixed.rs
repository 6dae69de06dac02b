// selvedge: check
// expect: verified

//! A lock-free stack keeps popped nodes until no other thread can look at them.

use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::thread;

struct Node {
    value: u32,
    next: *mut Node,
}

struct Stack {
    top: AtomicPtr<Node>,
    retired: AtomicPtr<Retired>,
}

struct Retired {
    node: *mut Node,
    next: *mut Retired,
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
                self.retire(top);
                return Some(unsafe { (*top).value });
            }
        }
    }

    fn retire(&self, node: *mut Node) {
        let entry = Box::into_raw(Box::new(Retired { node, next: ptr::null_mut() }));
        let mut head = self.retired.load(Ordering::Acquire);
        loop {
            unsafe { (*entry).next = head };
            match self.retired.compare_exchange(head, entry, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return,
                Err(found) => head = found,
            }
        }
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        let mut entry = *self.retired.get_mut();
        while !entry.is_null() {
            let retired = unsafe { Box::from_raw(entry) };
            drop(unsafe { Box::from_raw(retired.node) });
            entry = retired.next;
        }
    }
}

fn main() {
    let stack = Stack { top: AtomicPtr::new(ptr::null_mut()), retired: AtomicPtr::new(ptr::null_mut()) };
    stack.push(1);
    stack.push(2);
    thread::scope(|scope| {
        let other = scope.spawn(|| stack.pop());
        let here = stack.pop();
        assert!(here != other.join().unwrap());
    });
}
