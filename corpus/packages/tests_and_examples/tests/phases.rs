//! Two latches in a row order the phases of several threads.

use std::sync::Mutex;
use std::thread;
use weave::Latch;

fn run(threads: usize) -> Vec<u32> {
    let (start, middle) = (Latch::new(1), Latch::new(threads));
    let log = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                start.wait();
                log.lock().unwrap().push(1);
                middle.count_down();
                middle.wait();
                log.lock().unwrap().push(2);
            });
        }
        log.lock().unwrap().push(0);
        start.count_down();
    });
    log.into_inner().unwrap()
}

#[test]
fn one_thread() {
    assert_eq!(run(1), [0, 1, 2]);
}

#[test]
fn three_threads() {
    assert_eq!(run(3), [0, 1, 1, 1, 2, 2, 2]);
}
