//! Work stealing from a stack: its owner and a thief both want the last job.

use crossbeam_deque::Worker;
use rc11_libraries::both;

fn main() {
    let worker: Worker<Box<u32>> = Worker::new_lifo();
    let thief = worker.stealer();
    let (mut stolen, mut kept) = (0, 0);
    both(
        || stolen = thief.steal().success().map_or(0, |job| *job),
        || {
            worker.push(Box::new(1));
            kept = worker.pop().map_or(0, |job| *job);
        },
    );
    assert_eq!(stolen + kept, 1);
}
