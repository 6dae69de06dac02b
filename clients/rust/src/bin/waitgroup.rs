//! crate: waitgroup
use rust_clients::{block_on, both};
use waitgroup::WaitGroup;

fn main() {
    let group = WaitGroup::new();
    let worker = group.worker();
    both(move || drop(worker), || block_on(group.wait()));
}
