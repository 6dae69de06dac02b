//! crate: lockfree
use lockfree::queue::Queue;
use rust_clients::both;

fn main() {
    let queue = Queue::new();
    both(|| queue.push(1), || queue.push(2));
    assert_eq!(queue.pop().unwrap_or(0) + queue.pop().unwrap_or(0), 3);
}
