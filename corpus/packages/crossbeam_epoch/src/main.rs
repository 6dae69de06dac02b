//! A Treiber stack with epoch-based reclamation: nodes are freed once no thread can see them.

use crossbeam_epoch::{self as epoch, Atomic, Owned};
use std::mem::ManuallyDrop;
use std::ptr;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::thread;

struct Node<T> {
    value: ManuallyDrop<T>,
    next: Atomic<Node<T>>,
}

struct Stack<T> {
    head: Atomic<Node<T>>,
}

impl<T> Stack<T> {
    fn new() -> Self {
        Stack { head: Atomic::null() }
    }

    fn push(&self, value: T) {
        let guard = epoch::pin();
        let mut node = Owned::new(Node { value: ManuallyDrop::new(value), next: Atomic::null() });
        loop {
            let head = self.head.load(Relaxed, &guard);
            node.next.store(head, Relaxed);
            match self.head.compare_exchange(head, node, Release, Relaxed, &guard) {
                Ok(_) => return,
                Err(error) => node = error.new,
            }
        }
    }

    fn pop(&self) -> Option<T> {
        let guard = epoch::pin();
        loop {
            let head = self.head.load(Acquire, &guard);
            // SAFETY: the guard keeps every node that was reachable when it was pinned.
            let node = unsafe { head.as_ref() }?;
            let next = node.next.load(Relaxed, &guard);
            if self.head.compare_exchange(head, next, AcqRel, Relaxed, &guard).is_ok() {
                // SAFETY: the exchange made this thread the only one to unlink the node.
                unsafe {
                    guard.defer_destroy(head);
                    return Some(ManuallyDrop::into_inner(ptr::read(&node.value)));
                }
            }
        }
    }
}

impl<T> Drop for Stack<T> {
    fn drop(&mut self) {
        while self.pop().is_some() {}
    }
}

fn main() {
    let stack = Stack::new();
    let mut popped: Vec<String> = thread::scope(|scope| {
        let handles: Vec<_> = (0..3)
            .map(|id| {
                let stack = &stack;
                scope.spawn(move || {
                    let mut taken = Vec::new();
                    for n in 0..3 {
                        stack.push(format!("{id}.{n}"));
                        if n > 0 {
                            taken.extend(stack.pop());
                        }
                    }
                    taken
                })
            })
            .collect();
        handles.into_iter().flat_map(|h| h.join().unwrap()).collect()
    });
    println!("popped {} while pushing", popped.len());
    while let Some(item) = stack.pop() {
        popped.push(item);
    }
    popped.sort();
    println!("{}", popped.join(" "));
    epoch::pin().flush();
}
