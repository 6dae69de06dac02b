//! crate: sync_wrapper
use rust_clients::both;
use std::cell::Cell;
use sync_wrapper::SyncWrapper;

fn main() {
    let mut wrapped = SyncWrapper::new(Cell::new(1));
    both(|| wrapped.get_mut().set(2), || {});
    assert_eq!(wrapped.into_inner().get(), 2);
}
