//! crate: heapless
use heapless::spsc::Queue;
use rust_clients::both;

fn main() {
    let mut queue: Queue<i32, 4> = Queue::new();
    let (mut producer, mut consumer) = queue.split();
    both(|| assert!(producer.enqueue(1).is_ok()), || assert!(matches!(consumer.dequeue(), None | Some(1))));
}
