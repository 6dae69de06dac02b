//! crate: scc
use rust_clients::both;
use scc::Stack;

fn main() {
    let stack = Stack::default();
    both(|| drop(stack.push(1)), || drop(stack.push(2)));
    assert!(stack.pop().is_some() && stack.pop().is_some() && stack.pop().is_none());
}
