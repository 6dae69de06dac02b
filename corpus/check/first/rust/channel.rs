// selvedge: check
// expect: verified
// slow: more states and graphs than are looked at in a minute of a busy machine
// One thread sends, main receives until the sender is gone.
use std::sync::mpsc;
use std::thread;

fn main() {
    let (sender, receiver) = mpsc::channel();
    let producer = thread::spawn(move || {
        for word in ["a", "thread", "says"] {
            sender.send(word).unwrap();
        }
    });
    let heard: Vec<&str> = receiver.iter().collect();
    assert_eq!(heard, ["a", "thread", "says"]);
    producer.join().unwrap();
}
