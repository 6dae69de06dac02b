// selvedge: run
// expect-some: violation deadlock
// seeds: 60

//! The flag is checked outside of the lock that the waiter holds: the notification can come too early.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex};
use std::thread;

static READY: AtomicBool = AtomicBool::new(false);
static LOCK: Mutex<()> = Mutex::new(());
static CHANGED: Condvar = Condvar::new();

fn main() {
    let setter = thread::spawn(|| {
        READY.store(true, Ordering::SeqCst);
        CHANGED.notify_one();
    });
    if !READY.load(Ordering::SeqCst) {
        let guard = LOCK.lock().unwrap();
        drop(CHANGED.wait(guard).unwrap());
    }
    setter.join().unwrap();
    println!("woke up");
}
