//! crate: crossbeam-channel 0.5.14
//! fixed: 0.5.15
//! advisory: RUSTSEC-2025-0024
//! expect: violation double-free, because the first block is freed by the receiver that discards messages and by the channel's end
use crossbeam_channel::unbounded;
use rust_clients::both;

fn main() {
    let (sender, receiver) = unbounded();
    let send = |value| drop(sender.send(value));
    both(|| send(1), || both(|| send(2), || drop(receiver)));
}
