// selvedge: run
// expect: exit 0
// seeds: 3
// native: same
// stdout: total 1225 in 8 pieces

//! Workers take jobs from a shared queue, split big ones and put the halves back.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::Mutex;
use std::thread;

struct Pool {
    jobs: Mutex<Vec<(u64, u64)>>,
    open: AtomicUsize,
    total: AtomicU64,
    pieces: AtomicUsize,
}

impl Pool {
    fn work(&self) {
        while self.open.load(Ordering::Acquire) > 0 {
            let job = self.jobs.lock().unwrap().pop();
            let Some((from, to)) = job else {
                thread::yield_now();
                continue;
            };
            if to - from > 8 {
                let middle = from + (to - from) / 2;
                self.open.fetch_add(1, Ordering::AcqRel);
                self.jobs.lock().unwrap().extend([(from, middle), (middle, to)]);
            } else {
                self.total.fetch_add((from..to).sum(), Ordering::Relaxed);
                self.pieces.fetch_add(1, Ordering::Relaxed);
                self.open.fetch_sub(1, Ordering::AcqRel);
            }
        }
    }
}

fn main() {
    let pool = Pool {
        jobs: Mutex::new(vec![(0, 50)]),
        open: AtomicUsize::new(1),
        total: AtomicU64::new(0),
        pieces: AtomicUsize::new(0),
    };
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| pool.work());
        }
    });
    println!("total {} in {} pieces", pool.total.into_inner(), pool.pieces.into_inner());
}
