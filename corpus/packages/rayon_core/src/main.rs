//! A work-stealing pool of two threads: join, scope, spawn, and a panic that comes back to its caller.

use rayon_core::ThreadPoolBuilder;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicU32, Ordering};

fn sum(values: &[u32]) -> u32 {
    if values.len() <= 4 {
        return values.iter().sum();
    }
    let (left, right) = values.split_at(values.len() / 2);
    let (a, b) = rayon_core::join(|| sum(left), || sum(right));
    a + b
}

fn main() {
    let pool = ThreadPoolBuilder::new().num_threads(2).build().expect("the pool starts");
    let values: Vec<u32> = (1..=24).collect();
    println!("sum {}", pool.install(|| sum(&values)));

    let finished = AtomicU32::new(0);
    pool.scope(|scope| {
        for id in 0..3 {
            let finished = &finished;
            scope.spawn(move |inner| {
                finished.fetch_add(1 << id, Ordering::Relaxed);
                if id == 0 {
                    inner.spawn(move |_| {
                        finished.fetch_add(8, Ordering::Relaxed);
                    });
                }
            });
        }
    });
    println!("finished {:04b}", finished.load(Ordering::Relaxed));
    println!("threads {}", pool.current_num_threads());

    let outcome = panic::catch_unwind(AssertUnwindSafe(|| {
        pool.install(|| rayon_core::join(|| 1, || -> u32 { panic!("in the pool") }))
    }));
    println!("panic came back {}", outcome.is_err());
}
