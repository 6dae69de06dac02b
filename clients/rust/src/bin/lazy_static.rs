//! crate: lazy_static
use lazy_static::lazy_static;
use rust_clients::both;

lazy_static! {
    static ref VALUE: i32 = 7;
}

fn main() {
    both(|| assert_eq!(*VALUE, 7), || assert_eq!(*VALUE, 7));
}
