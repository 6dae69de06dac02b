//! crate: append-only-vec
use append_only_vec::AppendOnlyVec;
use rust_clients::both;

fn main() {
    let vec = AppendOnlyVec::new();
    both(|| drop(vec.push(1)), || drop(vec.push(2)));
    assert_eq!(vec.len(), 2);
    assert_eq!(vec.iter().sum::<i32>(), 3);
}
