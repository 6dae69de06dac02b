//! crate: tracing-core
use rust_clients::both;
use tracing_core::dispatcher::{Dispatch, get_default, set_global_default};

fn main() {
    let mut set = [false; 2];
    let [first, second] = &mut set;
    both(
        || *first = set_global_default(Dispatch::none()).is_ok(),
        || *second = set_global_default(Dispatch::none()).is_ok(),
    );
    assert!(set[0] != set[1]);
    get_default(|_| ());
}
