//! Readers load a configuration that a writer replaces: they see an old or a new one, never a mix.

use arc_swap::{ArcSwap, ArcSwapOption, Cache};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::thread;

static DROPPED: AtomicUsize = AtomicUsize::new(0);

struct Config {
    version: usize,
    doubled: usize,
}

impl Config {
    fn new(version: usize) -> Self {
        Config { version, doubled: 2 * version }
    }
}

impl Drop for Config {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, Ordering::Relaxed);
    }
}

fn main() {
    let config = ArcSwap::from_pointee(Config::new(0));
    thread::scope(|scope| {
        scope.spawn(|| {
            for version in 1..=3 {
                config.store(Arc::new(Config::new(version)));
            }
        });
        for _ in 0..2 {
            scope.spawn(|| {
                let mut last = 0;
                for _ in 0..3 {
                    let seen = config.load();
                    assert_eq!(seen.doubled, 2 * seen.version);
                    assert!(seen.version >= last, "versions never go back");
                    last = seen.version;
                }
            });
        }
    });
    println!("version {} dropped {}", config.load().version, DROPPED.load(Ordering::Relaxed));

    let counter = ArcSwap::from_pointee(0u32);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for _ in 0..3 {
                    counter.rcu(|value| **value + 1);
                }
            });
        }
    });
    println!("counter {}", counter.load());

    let mut cache = Cache::new(&config);
    println!("cached {}", cache.load().version);
    let before = config.swap(Arc::new(Config::new(9)));
    println!("swapped {} for {}", before.version, cache.load().version);

    let slot: ArcSwapOption<&str> = ArcSwapOption::empty();
    println!("{:?}", slot.load_full());
    slot.store(Some(Arc::new("filled")));
    println!("{:?}", slot.load_full());
}
