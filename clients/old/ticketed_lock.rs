//! crate: ticketed_lock 0.2.0
//! refused: 0.3.0
//! with: default-features = false
//! advisory: RUSTSEC-2020-0119
//! expect: violation data-race, because a ticket for any value may be sent to another thread
use std::rc::Rc;
use std::thread;
use ticketed_lock::{ReadLockGuard, TicketedLock};

/// What waiting for a ticket gives: the guard, and in the later version perhaps.
trait Held {
    fn count(&self);
}

impl Held for ReadLockGuard<Rc<u32>> {
    fn count(&self) {
        drop(Rc::clone(self));
    }
}

impl Held for Result<ReadLockGuard<Rc<u32>>, ()> {
    fn count(&self) {
        self.iter().for_each(Held::count);
    }
}

fn main() {
    let kept = Rc::new(1);
    let mut lock = TicketedLock::new(kept.clone());
    let ticket = lock.read();
    let other = thread::spawn(move || ticket.wait().count());
    drop(kept);
    assert!(other.join().is_ok());
}
