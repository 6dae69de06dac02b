// selvedge: check --model sc
// expect: verified
// selvedge: check --cflags="--cfg bug"
// expect: violation deadlock
//
// Two threads put one item each, two take one each, through a buffer for one item with a mutex and a condition variable.
// With `bug` only one of those who wait is woken, be it the right one or not.
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

struct Buffer {
    item: Mutex<Option<u32>>,
    changed: Condvar,
}

impl Buffer {
    fn wake(&self) {
        if cfg!(bug) {
            self.changed.notify_one();
        } else {
            self.changed.notify_all();
        }
    }

    fn put(&self, item: u32) {
        let mut place = self.item.lock().unwrap();
        while place.is_some() {
            place = self.changed.wait(place).unwrap();
        }
        *place = Some(item);
        self.wake();
    }

    fn take(&self) -> u32 {
        let mut place = self.item.lock().unwrap();
        loop {
            if let Some(item) = place.take() {
                self.wake();
                return item;
            }
            place = self.changed.wait(place).unwrap();
        }
    }
}

fn main() {
    let buffer = Arc::new(Buffer { item: Mutex::new(None), changed: Condvar::new() });
    let takers: Vec<_> = (0..2)
        .map(|_| {
            let buffer = Arc::clone(&buffer);
            thread::spawn(move || buffer.take())
        })
        .collect();
    let putters: Vec<_> = (1..=2)
        .map(|item| {
            let buffer = Arc::clone(&buffer);
            thread::spawn(move || buffer.put(item))
        })
        .collect();
    for putter in putters {
        putter.join().unwrap();
    }
    let sum: u32 = takers.into_iter().map(|taker| taker.join().unwrap()).sum();
    assert_eq!(sum, 3);
}
