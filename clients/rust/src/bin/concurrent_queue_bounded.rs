//! crate: concurrent-queue
use concurrent_queue::ConcurrentQueue;
use rust_clients::both;

fn main() {
    let queue = ConcurrentQueue::bounded(2);
    both(|| assert!(queue.push(1).is_ok()), || assert!(matches!(queue.pop(), Ok(1) | Err(_))));
    assert!(queue.len() <= 1);
}
