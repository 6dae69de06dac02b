//! crate: memchr
use rust_clients::both;

fn main() {
    let text = b"a text that is long enough for vectors, with a letter z near its end";
    both(|| assert!(memchr::memchr(b'z', text).is_some()), || assert!(memchr::memchr(b'q', text).is_none()));
}
