//! crate: may_queue 0.1.7
//! refused: 0.1.8
//! advisory: RUSTSEC-2020-0111
//! expect: violation data-race, because a queue of any values may be shared, of such with counts that are not atomic too
use may_queue::mpsc_list::Queue;
use rust_clients::both;
use std::rc::Rc;

fn main() {
    let kept = Rc::new(1);
    let queue = Queue::new();
    queue.push(kept.clone());
    let popped = || drop(queue.pop());
    both(popped, move || drop(kept));
}
