//! crate: crossbeam-queue
use crossbeam_queue::SegQueue;
use rust_clients::both;

fn main() {
    let queue = SegQueue::new();
    both(|| queue.push(1), || assert!(matches!(queue.pop(), None | Some(1))));
    assert!(queue.len() <= 1);
}
