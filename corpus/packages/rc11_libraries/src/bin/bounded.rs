//! A channel with room for one: the receiver waits for what is sent.

use crossbeam_channel::bounded;
use rc11_libraries::both;

fn main() {
    let (sender, receiver) = bounded(1);
    both(
        || sender.send(Box::new(7)).unwrap(),
        || assert_eq!(receiver.recv().map(|received| *received), Ok(7)),
    );
}
