//! crate: diatomic-waker
use diatomic_waker::WakeSink;
use rust_clients::{block_on, both};
use std::sync::atomic::{AtomicBool, Ordering};

fn main() {
    let mut sink = WakeSink::new();
    let source = sink.source();
    let flag = AtomicBool::new(false);
    both(
        || {
            flag.store(true, Ordering::Relaxed);
            source.notify();
        },
        || block_on(sink.wait_until(|| flag.load(Ordering::Relaxed).then_some(()))),
    );
}
