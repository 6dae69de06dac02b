//! A channel without bounds: what is received is whole.

use crossbeam_channel::unbounded;
use rc11_libraries::both;

fn main() {
    let (sender, receiver) = unbounded();
    both(
        || sender.send(Box::new(7)).unwrap(),
        || {
            if let Ok(received) = receiver.try_recv() {
                assert_eq!(*received, 7);
            }
        },
    );
}
