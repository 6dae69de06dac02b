//! Lazy values and one-time cells of once_cell, first touched by several threads at once.

use once_cell::race::OnceBox;
use once_cell::sync::{Lazy, OnceCell};
use once_cell::unsync;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

static RUNS: AtomicU32 = AtomicU32::new(0);
static PRIMES: Lazy<Vec<u32>> = Lazy::new(|| {
    RUNS.fetch_add(1, Ordering::Relaxed);
    (2..30).filter(|n| (2..*n).all(|d| n % d != 0)).collect()
});
static NAME: OnceCell<String> = OnceCell::new();
static RACED: OnceBox<String> = OnceBox::new();

fn main() {
    let lengths: Vec<usize> = thread::scope(|scope| {
        let handles: Vec<_> = (0..3)
            .map(|id| {
                scope.spawn(move || {
                    let name = NAME.get_or_init(|| {
                        RUNS.fetch_add(10, Ordering::Relaxed);
                        "selvedge".to_owned()
                    });
                    let raced = RACED.get_or_init(|| Box::new("raced".to_owned()));
                    PRIMES[id] as usize + name.len() + raced.len()
                })
            })
            .collect();
        handles.into_iter().map(|h| h.join().unwrap()).collect()
    });
    println!("{lengths:?} runs {}", RUNS.load(Ordering::Relaxed));
    println!("{:?}", NAME.set("other".to_owned()));

    let failing: OnceCell<u32> = OnceCell::new();
    println!("{:?} {:?}", failing.get_or_try_init(|| "12x".parse::<u32>()).is_err(), failing.get());
    println!("{:?}", failing.get_or_try_init(|| "12".parse::<u32>()));

    let cell = unsync::Lazy::new(|| 6 * 7);
    println!("{} {:?}", *cell, unsync::OnceCell::<u8>::new().get());
}
