//! crate: rtrb
use rtrb::RingBuffer;
use rust_clients::both;

fn main() {
    let (mut producer, mut consumer) = RingBuffer::new(2);
    both(move || assert!(producer.push(1).is_ok()), || assert!(matches!(consumer.pop(), Err(_) | Ok(1))));
}
