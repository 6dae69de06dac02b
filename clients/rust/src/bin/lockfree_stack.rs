//! crate: lockfree
use lockfree::stack::Stack;
use rust_clients::both;

fn main() {
    let stack = Stack::new();
    both(|| stack.push(1), || assert!(matches!(stack.pop(), None | Some(1))));
    assert!(matches!(stack.pop(), None | Some(1)));
}
