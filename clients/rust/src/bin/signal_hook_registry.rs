//! crate: signal-hook-registry
use rust_clients::both;

fn main() {
    let mut ids = [None; 2];
    let [first, second] = &mut ids;
    let register = || unsafe { signal_hook_registry::register(10, || {}).ok() };
    both(|| *first = register(), || *second = register());
    assert!(ids[0].is_some() && ids[0] != ids[1]);
}
