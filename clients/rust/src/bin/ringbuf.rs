//! crate: ringbuf
use ringbuf::HeapRb;
use ringbuf::traits::{Consumer, Producer, Split};
use rust_clients::both;

fn main() {
    let (mut producer, mut consumer) = HeapRb::new(2).split();
    both(
        move || assert!(producer.try_push(1).is_ok()),
        || assert!(matches!(consumer.try_pop(), None | Some(1))),
    );
}
