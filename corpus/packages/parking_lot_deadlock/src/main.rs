//! A lock of each kind, taken in opposite orders by two threads.

use parking_lot::{Mutex, RwLock};
use std::thread;

fn main() {
    let table = RwLock::new(vec![1, 2, 3]);
    let log = Mutex::new(Vec::new());
    thread::scope(|scope| {
        scope.spawn(|| {
            let table = table.write();
            log.lock().push(table.len());
        });
        scope.spawn(|| {
            let mut log = log.lock();
            log.push(table.read()[0]);
        });
    });
    println!("log has {} entries", log.lock().len());
}
