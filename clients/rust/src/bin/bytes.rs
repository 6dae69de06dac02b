//! crate: bytes
use bytes::Bytes;
use rust_clients::both;

fn main() {
    let bytes = Bytes::from(vec![1, 2, 3, 4]);
    let copy = bytes.clone();
    both(move || assert_eq!(copy.slice(1..3)[0], 2), || assert_eq!(bytes.clone()[3], 4));
    assert_eq!(bytes.len(), 4);
}
