//! Lock-free queues between threads, with an event to sleep on while they are empty.

use concurrent_queue::{ConcurrentQueue, PopError, PushError};
use event_listener::{Event, Listener};
use std::thread;

fn pass_on(queue: &ConcurrentQueue<u32>, changed: &Event, count: usize) -> Vec<u32> {
    let mut taken = Vec::new();
    while taken.len() < count {
        match queue.pop() {
            Ok(item) => {
                taken.push(item);
                changed.notify(usize::MAX);
            }
            Err(_) => {
                let listener = changed.listen();
                if queue.is_empty() {
                    listener.wait();
                }
            }
        }
    }
    taken
}

fn main() {
    for queue in [ConcurrentQueue::bounded(2), ConcurrentQueue::unbounded(), ConcurrentQueue::bounded(1)] {
        let changed = Event::new();
        let taken = thread::scope(|scope| {
            scope.spawn(|| {
                for item in 1..=5 {
                    loop {
                        let listener = changed.listen();
                        match queue.push(item) {
                            Ok(()) => break,
                            Err(PushError::Full(_)) => listener.wait(),
                            Err(PushError::Closed(_)) => unreachable!("closed at the end only"),
                        }
                    }
                    changed.notify(usize::MAX);
                }
            });
            pass_on(&queue, &changed, 5)
        });
        queue.close();
        println!("{taken:?} capacity {:?}", queue.capacity());
        println!("closed {} {}", queue.push(9).is_err(), queue.pop() == Err(PopError::Closed));
    }
}
