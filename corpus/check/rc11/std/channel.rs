// selvedge: check --model rc11
// expect: verified
//
// What is sent through a channel arrives, with all that was written before.
use std::sync::mpsc;
use std::thread;

fn main() {
    let (sender, receiver) = mpsc::channel();
    let other = thread::spawn(move || sender.send(Box::new(1)).unwrap());
    assert_eq!(*receiver.recv().unwrap(), 1);
    other.join().unwrap();
}
