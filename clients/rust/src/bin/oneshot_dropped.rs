//! crate: oneshot
use rust_clients::both;

fn main() {
    let (sender, receiver) = oneshot::channel::<Box<i32>>();
    both(move || drop(sender.send(Box::new(7))), move || drop(receiver.try_recv()));
}
