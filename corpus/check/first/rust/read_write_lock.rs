// selvedge: check
// expect: verified
// slow: more states and graphs than are looked at in a minute of a busy machine
// Two readers and a writer.
use std::sync::{Arc, RwLock};
use std::thread;

fn main() {
    let pair = Arc::new(RwLock::new((0, 0)));
    let readers: Vec<_> = (0..2)
        .map(|_| {
            let pair = Arc::clone(&pair);
            thread::spawn(move || {
                let pair = pair.read().unwrap();
                assert_eq!(pair.0, pair.1);
            })
        })
        .collect();
    *pair.write().unwrap() = (1, 1);
    for reader in readers {
        reader.join().unwrap();
    }
}
