//! crate: parking_lot
use parking_lot::{Condvar, Mutex};
use rust_clients::both;

fn main() {
    let (mutex, condition) = (Mutex::new(false), Condvar::new());
    both(
        || {
            *mutex.lock() = true;
            condition.notify_one();
        },
        || {
            let mut ready = mutex.lock();
            while !*ready {
                condition.wait(&mut ready);
            }
        },
    );
}
