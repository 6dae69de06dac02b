// selvedge: check
// expect: verified
// slow: more states and graphs than are looked at in a minute of a busy machine
// A channel with room for one: the sender waits for the receiver.
use std::sync::mpsc;
use std::thread;

fn main() {
    let (sender, receiver) = mpsc::sync_channel(1);
    let producer = thread::spawn(move || (0..3).for_each(|number| sender.send(number).unwrap()));
    for expected in 0..3 {
        assert_eq!(receiver.recv(), Ok(expected));
    }
    producer.join().unwrap();
}
