// selvedge: check
// expect: verified
// Two workers take jobs from one list until it is empty.
use std::sync::{Arc, Mutex};
use std::thread;

fn main() {
    let jobs = Arc::new(Mutex::new(vec![1, 2, 3]));
    let results = Arc::new(Mutex::new(0));
    let workers: Vec<_> = (0..2)
        .map(|_| {
            let (jobs, results) = (Arc::clone(&jobs), Arc::clone(&results));
            thread::spawn(move || {
                loop {
                    let Some(job) = jobs.lock().unwrap().pop() else { return };
                    *results.lock().unwrap() += job * 10;
                }
            })
        })
        .collect();
    for worker in workers {
        worker.join().unwrap();
    }
    assert_eq!(*results.lock().unwrap(), 60);
}
