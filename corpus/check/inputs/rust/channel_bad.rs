// selvedge: check
// expect: violation panic
//
// What is sent through a channel may be the wrong number.

use std::sync::mpsc;
use std::thread;
fn main() {
    let n = selvedge::any::<u32>();
    selvedge::assume(n < 3);
    let (tx, rx) = mpsc::channel();
    let t = thread::spawn(move || {
        tx.send(n).unwrap();
    });
    let v = rx.recv().unwrap();
    assert!(v != 2);
    t.join().unwrap();
}
