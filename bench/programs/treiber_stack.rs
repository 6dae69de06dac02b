// selvedge: check --cflags="--cfg small"
// expect: verified
// selvedge: check --cflags="--cfg small --cfg bug"
// expect: violation memory
// slow: the way with the fewest context switches is searched for among many states

//! Treiber's stack; some threads push one node each, as many try to pop one each. Nodes are freed at the end.
//! With `bug` who pops a node frees it at once, while others may still follow its link.

use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::thread;

const EACH: usize = if cfg!(small) { 2 } else { 3 };

struct Node {
    value: usize,
    next: *mut Node,
}

struct Stack {
    top: AtomicPtr<Node>,
}

/// A node that was popped and is nobody else's but for those who still follow its link.
struct Popped(*mut Node);

// SAFETY: whoever holds it may take the node apart once no other thread uses the stack.
unsafe impl Send for Popped {}

impl Stack {
    fn push(&self, value: usize) {
        let node = Box::into_raw(Box::new(Node { value, next: ptr::null_mut() }));
        let mut top = self.top.load(Ordering::Relaxed);
        loop {
            // SAFETY: the node is still this thread's own.
            unsafe { (*node).next = top };
            match self.top.compare_exchange(top, node, Ordering::Release, Ordering::Relaxed) {
                Ok(_) => return,
                Err(seen) => top = seen,
            }
        }
    }

    fn pop(&self) -> Option<Popped> {
        let mut top = self.top.load(Ordering::Acquire);
        while !top.is_null() {
            // SAFETY: nodes live until all threads have ended (without `bug`).
            let next = unsafe { (*top).next };
            match self.top.compare_exchange(top, next, Ordering::Acquire, Ordering::Acquire) {
                Ok(_) => return Some(Popped(top)),
                Err(seen) => top = seen,
            }
        }
        None
    }
}

impl Popped {
    /// Frees the node.
    fn value(self) -> usize {
        // SAFETY: it was allocated as a box, and only its popper comes here, once.
        unsafe { Box::from_raw(self.0) }.value
    }
}

fn main() {
    let stack = Arc::new(Stack { top: AtomicPtr::new(ptr::null_mut()) });
    let pushers: Vec<_> = (0..EACH)
        .map(|value| {
            let stack = Arc::clone(&stack);
            thread::spawn(move || stack.push(value))
        })
        .collect();
    let poppers: Vec<_> = (0..EACH)
        .map(|_| {
            let stack = Arc::clone(&stack);
            thread::spawn(move || {
                let popped = stack.pop();
                if cfg!(bug) {
                    popped.map(Popped::value);
                    return None;
                }
                popped
            })
        })
        .collect();
    for pusher in pushers {
        pusher.join().unwrap();
    }
    // Nothing is freed before the last popper has ended.
    let popped: Vec<_> = poppers.into_iter().map(|popper| popper.join().unwrap()).collect();
    let mut found = [0; EACH];
    for popped in popped.into_iter().flatten() {
        found[popped.value()] += 1;
    }
    while let Some(popped) = stack.pop() {
        found[popped.value()] += 1;
    }
    assert!(cfg!(bug) || found == [1; EACH]);
}
