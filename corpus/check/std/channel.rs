// selvedge: check
// expect: verified

//! One value through a channel of the standard library. Whoever waits in it waits longer each time and counts that without
//! end, and its weak compare-exchanges can fail for no reason: neither is an endless loop.

use std::sync::mpsc;
use std::thread;

fn main() {
    let (sender, receiver) = mpsc::channel();
    let other = sender.clone();
    let worker = thread::spawn(move || sender.send(1).unwrap());
    other.send(2).unwrap();
    assert_eq!(receiver.recv().unwrap() + receiver.recv().unwrap(), 3);
    worker.join().unwrap();
}
