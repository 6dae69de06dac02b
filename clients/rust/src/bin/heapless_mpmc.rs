//! crate: heapless
use heapless::mpmc::Q4;
use rust_clients::both;

fn main() {
    let queue = Q4::new();
    both(|| assert!(queue.enqueue(1).is_ok()), || assert!(queue.enqueue(2).is_ok()));
    assert_eq!(queue.dequeue().unwrap_or(0) + queue.dequeue().unwrap_or(0), 3);
}
