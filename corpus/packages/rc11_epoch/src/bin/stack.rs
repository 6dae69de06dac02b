//! Work stealing from a stack: where more than one job is left its owner takes one without asking.

use crossbeam_deque::Worker;
use rc11_libraries::both;
use std::mem::ManuallyDrop;

fn main() {
    // Dropping it would go through all jobs from its front to its back, wherever these are.
    let worker = ManuallyDrop::new(Worker::new_lifo());
    let thief = worker.stealer();
    worker.push(1);
    worker.push(2);
    let (mut stolen, mut kept) = (0, 0);
    both(
        || {
            let mut steal = || thief.steal().success().unwrap_or(0);
            stolen = steal() + steal();
        },
        || kept = worker.pop().unwrap_or(0),
    );
    assert!(stolen + kept <= 3);
}
