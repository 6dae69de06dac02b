//! crate: crossbeam-queue
use crossbeam_queue::ArrayQueue;
use rust_clients::both;

fn main() {
    let queue = ArrayQueue::new(1);
    let mut pushed = [false; 2];
    let [first, second] = &mut pushed;
    both(|| *first = queue.push(1).is_ok(), || *second = queue.push(2).is_ok());
    assert!(pushed[0] != pushed[1]);
    assert_eq!(queue.len(), 1);
}
