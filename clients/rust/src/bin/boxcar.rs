//! crate: boxcar
use rust_clients::both;

fn main() {
    let vec = boxcar::Vec::new();
    both(|| drop(vec.push(1)), || drop(vec.push(2)));
    assert_eq!(vec.count(), 2);
    assert_eq!(vec.iter().map(|(_, value)| *value).sum::<i32>(), 3);
}
