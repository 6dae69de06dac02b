// selvedge: check --model rc11
// expect: verified
//
// A read-write lock of the standard library with a writer and a reader.
use std::sync::RwLock;
use std::thread;

static PAIR: RwLock<(u32, u32)> = RwLock::new((0, 0));

fn main() {
    let other = thread::spawn(|| {
        let mut pair = PAIR.write().unwrap();
        pair.0 += 1;
        pair.1 += 1;
    });
    let pair = PAIR.read().unwrap();
    assert_eq!(pair.0, pair.1);
    drop(pair);
    other.join().unwrap();
}
