// selvedge: check
// expect: verified
// Three philosophers; the last one takes the forks the other way round.
use std::sync::{Arc, Mutex};
use std::thread;

fn main() {
    let forks: Vec<_> = (0..3).map(|_| Arc::new(Mutex::new(()))).collect();
    let handles: Vec<_> = [(0, 1), (1, 2), (0, 2)]
        .into_iter()
        .map(|(first, second): (usize, usize)| {
            let (first, second) = (Arc::clone(&forks[first]), Arc::clone(&forks[second]));
            thread::spawn(move || {
                let _first = first.lock().unwrap();
                let _second = second.lock().unwrap();
            })
        })
        .collect();
    for handle in handles {
        handle.join().unwrap();
    }
}
