// selvedge: check
// expect: violation panic
//
// A value is handed over with a condition variable; one of them is the wrong one.

use std::sync::{Arc, Condvar, Mutex};
use std::thread;
fn main() {
    let n = selvedge::any::<u8>();
    let pair = Arc::new((Mutex::new(0u8), Condvar::new()));
    let p2 = Arc::clone(&pair);
    let t = thread::spawn(move || {
        let (m, c) = &*p2;
        *m.lock().unwrap() = n | 1;
        c.notify_one();
    });
    let (m, c) = &*pair;
    let mut g = m.lock().unwrap();
    while *g == 0 {
        g = c.wait(g).unwrap();
    }
    assert!(*g != 77);
    drop(g);
    t.join().unwrap();
}
