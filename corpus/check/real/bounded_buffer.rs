// selvedge: check -- 1
// expect: verified

//! As many producers as consumers around a queue for two items, with the library's mutex and condition variables.

use std::sync::{Arc, Condvar, Mutex};
use std::thread;

const CAPACITY: usize = 2;

#[derive(Default)]
struct Ring {
    items: [u32; CAPACITY],
    head: usize,
    count: usize,
}

#[derive(Default)]
struct BoundedBuffer {
    ring: Mutex<Ring>,
    not_empty: Condvar,
    not_full: Condvar,
}

impl BoundedBuffer {
    fn put(&self, item: u32) {
        let mut ring =
            self.not_full.wait_while(self.ring.lock().unwrap(), |ring| ring.count == CAPACITY).unwrap();
        let at = (ring.head + ring.count) % CAPACITY;
        ring.items[at] = item;
        ring.count += 1;
        self.not_empty.notify_one();
    }

    fn take(&self) -> u32 {
        let mut ring = self.not_empty.wait_while(self.ring.lock().unwrap(), |ring| ring.count == 0).unwrap();
        let item = ring.items[ring.head];
        ring.head = (ring.head + 1) % CAPACITY;
        ring.count -= 1;
        self.not_full.notify_one();
        item
    }
}

fn main() {
    let pairs: u32 = std::env::args().nth(1).map_or(3, |argument| argument.parse().unwrap());
    let buffer = Arc::new(BoundedBuffer::default());
    let producers: Vec<_> = (0..pairs)
        .map(|number| {
            let buffer = buffer.clone();
            thread::spawn(move || buffer.put(1 << number))
        })
        .collect();
    let consumers: Vec<_> = (0..pairs)
        .map(|_| {
            let buffer = buffer.clone();
            thread::spawn(move || buffer.take())
        })
        .collect();
    for producer in producers {
        producer.join().unwrap();
    }
    let sum: u32 = consumers.into_iter().map(|consumer| consumer.join().unwrap()).sum();
    assert_eq!(sum, (1 << pairs) - 1);
}
