//! crate: concurrent-queue
use concurrent_queue::ConcurrentQueue;
use rust_clients::both;

fn main() {
    let queue = ConcurrentQueue::unbounded();
    both(|| assert!(queue.push(1).is_ok()), || assert!(queue.push(2).is_ok()));
    assert_eq!(queue.pop().unwrap_or(0) + queue.pop().unwrap_or(0), 3);
}
