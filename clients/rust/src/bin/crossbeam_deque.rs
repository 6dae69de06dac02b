//! crate: crossbeam-deque
use crossbeam_deque::{Steal, Worker};
use rust_clients::both;

fn main() {
    let worker = Worker::new_lifo();
    worker.push(1);
    let stealer = worker.stealer();
    let mut stolen = false;
    let mut popped = false;
    both(|| stolen = matches!(stealer.steal(), Steal::Success(1)), || popped = worker.pop().is_some());
    assert!(!(stolen && popped));
    assert!(stolen || popped || worker.pop().is_some());
}
