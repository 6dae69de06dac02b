//! crate: try-mutex 0.2.0
//! refused: 0.3.0
//! advisory: RUSTSEC-2020-0087
//! expect: violation data-race, because a lock makes values shared that must not be sent to another thread
use rust_clients::both;
use std::rc::Rc;
use try_mutex::TryMutex;

fn main() {
    let kept = Rc::new(1);
    let mutex = TryMutex::new(kept.clone());
    both(|| drop(mutex.try_lock().map(|guard| Rc::clone(&guard))), || drop(kept.clone()));
}
