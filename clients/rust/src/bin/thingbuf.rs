//! crate: thingbuf
use rust_clients::both;
use thingbuf::ThingBuf;

fn main() {
    let buffer = ThingBuf::new(2);
    both(|| assert!(buffer.push(1).is_ok()), || assert!(matches!(buffer.pop(), None | Some(1))));
}
