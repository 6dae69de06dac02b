//! Work stealing from a queue: every job is done once, by its owner or by the thief.

use crossbeam_deque::Worker;
use rc11_libraries::both;

fn main() {
    let worker: Worker<Box<u32>> = Worker::new_fifo();
    let thief = worker.stealer();
    let (mut stolen, mut kept) = (0, 0);
    both(
        || stolen = thief.steal().success().map_or(0, |job| *job),
        || {
            worker.push(Box::new(1));
            worker.push(Box::new(2));
            kept = worker.pop().map_or(0, |job| *job) + worker.pop().map_or(0, |job| *job);
        },
    );
    assert_eq!(stolen + kept, 3);
}
