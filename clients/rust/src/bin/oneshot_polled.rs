//! crate: oneshot
//! expect: violation use-after-free, because the end of a polled receiver replaces the state by which it waits for the sender
use rust_clients::both;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Waker};

fn main() {
    let (sender, mut receiver) = oneshot::channel::<u32>();
    both(
        move || drop(sender.send(1)),
        move || drop(Pin::new(&mut receiver).poll(&mut Context::from_waker(Waker::noop()))),
    );
}
