//! The program: workers report through the latch that they are ready.

use std::thread;
use weave::Latch;

fn main() {
    let workers = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(2);
    let latch = Latch::new(workers);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| latch.count_down());
        }
        latch.wait();
        println!("{workers} workers are ready");
    });
}
