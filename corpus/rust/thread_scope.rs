// selvedge: run
// expect: exit 0
// seeds: 5
// native: same
// stdout: [1, 4, 7, 9, 8, 6, 3, 2] low 1 high 8
// stdout: finished 3

//! Scoped threads borrow from the enclosing frame, mutably and disjointly.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

fn main() {
    let mut data = [9, 4, 7, 1, 8, 3, 6, 2];
    let finished = AtomicUsize::new(0);
    let (left, right) = data.split_at_mut(4);
    let (low, high) = thread::scope(|scope| {
        let first = scope.spawn(|| {
            left.sort_unstable();
            finished.fetch_add(1, Ordering::Relaxed);
            left[0]
        });
        let second = scope.spawn(|| {
            right.sort_unstable_by(|a, b| b.cmp(a));
            finished.fetch_add(1, Ordering::Relaxed);
            scope.spawn(|| finished.fetch_add(1, Ordering::Relaxed));
            right[0]
        });
        (first.join().unwrap(), second.join().unwrap())
    });
    println!("{data:?} low {low} high {high}");
    println!("finished {}", finished.load(Ordering::Relaxed));
}
