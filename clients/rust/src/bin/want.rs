//! crate: want
use rust_clients::{block_on, both};

fn main() {
    let (mut giver, mut taker) = want::new();
    both(
        move || drop(block_on(std::future::poll_fn(|context| giver.poll_want(context)))),
        move || taker.want(),
    );
}
