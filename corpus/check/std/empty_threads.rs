// selvedge: check --max-executions 1000
// expect: verified
//
// Threads that do nothing: all that happens is what the library does to start and to end them.
use std::thread;

fn main() {
    let threads: Vec<_> = (0..5).map(|_| thread::spawn(|| {})).collect();
    for thread in threads {
        thread.join().unwrap();
    }
}
