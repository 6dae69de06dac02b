//! crate: atomic-waker
use atomic_waker::AtomicWaker;
use rust_clients::{block_on, both};
use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;

fn main() {
    let (waker, flag) = (AtomicWaker::new(), AtomicBool::new(false));
    both(
        || {
            flag.store(true, Ordering::SeqCst);
            waker.wake();
        },
        || {
            block_on(poll_fn(|context| {
                waker.register(context.waker());
                if flag.load(Ordering::SeqCst) { Poll::Ready(()) } else { Poll::Pending }
            }));
        },
    );
}
