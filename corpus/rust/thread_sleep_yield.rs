// selvedge: run
// expect: exit 0
// seeds: 4
// native: same
// stdout: [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]

//! Sleeping and yielding change the order of threads, never the result.

use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

fn main() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let handles: Vec<_> = (0..3u64)
        .map(|id| {
            let log = Arc::clone(&log);
            thread::spawn(move || {
                for round in 0..2u64 {
                    thread::sleep(Duration::from_millis(3 - id));
                    log.lock().unwrap().push((id, round));
                    thread::yield_now();
                }
            })
        })
        .collect();
    for handle in handles {
        handle.join().unwrap();
    }
    let mut entries = log.lock().unwrap().clone();
    for id in 0..3 {
        let rounds: Vec<u64> = entries.iter().filter(|e| e.0 == id).map(|e| e.1).collect();
        assert_eq!(rounds, [0, 1], "each thread logs in its own order");
    }
    entries.sort_unstable();
    println!("{entries:?}");
}
