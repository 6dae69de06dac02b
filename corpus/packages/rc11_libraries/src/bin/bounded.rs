//! A channel with room for one: what is received is whole.

use crossbeam_channel::bounded;
use rc11_libraries::both;

fn main() {
    let (sender, receiver) = bounded(1);
    both(
        || sender.try_send(Box::new(7)).unwrap(),
        || {
            if let Ok(received) = receiver.try_recv() {
                assert_eq!(*received, 7);
            }
        },
    );
}
