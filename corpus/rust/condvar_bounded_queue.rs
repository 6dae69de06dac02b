// selvedge: run
// expect: exit 0
// seeds: 5
// native: same
// stdout: consumed in order [1, 2, 3, 4, 5, 6]

//! A bounded queue from one mutex and two condition variables.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

struct Queue {
    items: Mutex<VecDeque<u32>>,
    not_empty: Condvar,
    not_full: Condvar,
}

const CAPACITY: usize = 2;

impl Queue {
    fn put(&self, item: u32) {
        let mut items = self.items.lock().unwrap();
        while items.len() == CAPACITY {
            items = self.not_full.wait(items).unwrap();
        }
        items.push_back(item);
        self.not_empty.notify_one();
    }

    fn take(&self) -> u32 {
        let guard = self.items.lock().unwrap();
        let mut items = self.not_empty.wait_while(guard, |items| items.is_empty()).unwrap();
        let item = items.pop_front().unwrap();
        self.not_full.notify_one();
        item
    }
}

fn main() {
    let queue = Arc::new(Queue {
        items: Mutex::new(VecDeque::new()),
        not_empty: Condvar::new(),
        not_full: Condvar::new(),
    });
    let producer = {
        let queue = Arc::clone(&queue);
        thread::spawn(move || (1..=6).for_each(|item| queue.put(item)))
    };
    let consumer = {
        let queue = Arc::clone(&queue);
        thread::spawn(move || (0..6).map(|_| queue.take()).collect::<Vec<_>>())
    };
    producer.join().unwrap();
    println!("consumed in order {:?}", consumer.join().unwrap());
}
