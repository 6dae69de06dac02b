// selvedge: check
// expect: verified
// A queue whose consumer is parked while there is nothing to do.
use std::collections::VecDeque;
use std::sync::Mutex;
use std::thread;

static QUEUE: Mutex<VecDeque<u32>> = Mutex::new(VecDeque::new());

fn main() {
    let consumer = thread::spawn(|| {
        loop {
            match QUEUE.lock().unwrap().pop_front() {
                Some(number) => return number,
                None => {}
            }
            thread::park();
        }
    });
    QUEUE.lock().unwrap().push_back(7);
    consumer.thread().unpark();
    assert_eq!(consumer.join().unwrap(), 7);
}
