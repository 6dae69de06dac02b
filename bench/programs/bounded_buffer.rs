// selvedge: check --cflags="--cfg small"
// expect: verified
// slow: threads of Rust's library wait and wake each other in many steps
// selvedge: check --cflags="--cfg small --cfg bug"
// expect: violation panic
// slow: threads of Rust's library wait and wake each other in many steps

//! A buffer with two slots, a mutex and two condition variables; producers and consumers, one item each.
//! With `bug` a consumer that was woken does not look again.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

const EACH: u32 = if cfg!(small) { 2 } else { 3 };
const SLOTS: usize = 2;

struct Buffer {
    items: Mutex<VecDeque<u32>>,
    not_full: Condvar,
    not_empty: Condvar,
}

impl Buffer {
    fn put(&self, item: u32) {
        let mut items = self.items.lock().unwrap();
        while items.len() == SLOTS {
            items = self.not_full.wait(items).unwrap();
        }
        items.push_back(item);
        self.not_empty.notify_one();
    }

    fn take(&self) -> u32 {
        let mut items = self.items.lock().unwrap();
        if cfg!(bug) {
            if items.is_empty() {
                items = self.not_empty.wait(items).unwrap();
            }
        } else {
            while items.is_empty() {
                items = self.not_empty.wait(items).unwrap();
            }
        }
        let item = items.pop_front().unwrap();
        self.not_full.notify_one();
        item
    }
}

fn main() {
    let buffer = Arc::new(Buffer {
        items: Mutex::new(VecDeque::with_capacity(SLOTS)),
        not_full: Condvar::new(),
        not_empty: Condvar::new(),
    });
    let producers: Vec<_> = (1..=EACH)
        .map(|item| {
            let buffer = Arc::clone(&buffer);
            thread::spawn(move || buffer.put(item))
        })
        .collect();
    let consumers: Vec<_> = (0..EACH)
        .map(|_| {
            let buffer = Arc::clone(&buffer);
            thread::spawn(move || buffer.take())
        })
        .collect();
    for producer in producers {
        producer.join().unwrap();
    }
    let sum: u32 = consumers.into_iter().map(|consumer| consumer.join().unwrap()).sum();
    assert_eq!(sum, EACH * (EACH + 1) / 2);
}
