// selvedge: run
// expect: exit 0
// seeds: 5
// native: same
// stdout: arrived 6
// stdout: leaders 2

//! A reusable barrier separates phases; exactly one thread leads each of them.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::Barrier;
use std::thread;

fn main() {
    let barrier = Barrier::new(3);
    let arrived = AtomicU32::new(0);
    let leaders = AtomicU32::new(0);
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for phase in 1..=2 {
                    arrived.fetch_add(1, Ordering::Relaxed);
                    if barrier.wait().is_leader() {
                        leaders.fetch_add(1, Ordering::Relaxed);
                    }
                    assert!(arrived.load(Ordering::Relaxed) >= 3 * phase);
                    barrier.wait();
                }
            });
        }
    });
    println!("arrived {}", arrived.into_inner());
    println!("leaders {}", leaders.into_inner());
}
