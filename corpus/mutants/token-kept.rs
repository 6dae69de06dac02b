// selvedge: check --model sc
// expect: violation deadlock
// mutant: verified
// There is one token, so the second time the thread is parked for good.
use std::thread;

fn main() {
    let other = thread::spawn(|| {
        thread::park();
        thread::park();
    });
    other.thread().unpark();
    other.join().unwrap();
}
