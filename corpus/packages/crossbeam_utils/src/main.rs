//! Scoped threads, back-off, padding, parkers, wait groups, atomic cells and sharded locks.

use crossbeam_utils::atomic::AtomicCell;
use crossbeam_utils::sync::{Parker, ShardedLock, WaitGroup};
use crossbeam_utils::{thread, Backoff, CachePadded};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Range {
    from: u32,
    to: u32,
}

fn main() {
    let counters: [CachePadded<AtomicU32>; 2] = Default::default();
    let total = thread::scope(|scope| {
        let handles: Vec<_> = counters
            .iter()
            .enumerate()
            .map(|(id, counter)| {
                scope.spawn(move |inner| {
                    let nested = inner.spawn(move |_| counter.fetch_add(1, Ordering::Relaxed));
                    counter.fetch_add(10 * (id as u32 + 1), Ordering::Relaxed);
                    nested.join().unwrap();
                    counter.load(Ordering::Relaxed)
                })
            })
            .collect();
        handles.into_iter().map(|h| h.join().unwrap()).sum::<u32>()
    })
    .unwrap();
    println!("total {total}, padded to a multiple of 64: {}", std::mem::size_of_val(&counters[0]) % 64 == 0);

    let ready = AtomicBool::new(false);
    let range = AtomicCell::new(Range { from: 0, to: 0 });
    thread::scope(|scope| {
        scope.spawn(|_| {
            range.store(Range { from: 3, to: 9 });
            ready.store(true, Ordering::Release);
        });
        let backoff = Backoff::new();
        while !ready.load(Ordering::Acquire) {
            backoff.snooze();
        }
        println!("{:?} lock free {}", range.load(), AtomicCell::<Range>::is_lock_free());
    })
    .unwrap();
    println!("{:?}", range.compare_exchange(Range { from: 3, to: 9 }, Range { from: 1, to: 1 }));
    let wide = AtomicCell::new([1u64, 2, 3]);
    println!("{:?} {:?}", wide.swap([4, 5, 6]), wide.load());

    let parker = Parker::new();
    let unparker = parker.unparker().clone();
    let waker = std::thread::spawn(move || unparker.unpark());
    parker.park();
    waker.join().unwrap();

    let group = WaitGroup::new();
    let finished = std::sync::Arc::new(ShardedLock::new(Vec::new()));
    for id in 0..3 {
        let (group, finished) = (group.clone(), finished.clone());
        std::thread::spawn(move || {
            finished.write().unwrap().push(id);
            drop(group);
        });
    }
    group.wait();
    let mut ids = finished.read().unwrap().clone();
    ids.sort_unstable();
    println!("{ids:?}");

    let failed = thread::scope(|scope| {
        scope.spawn(|_| panic!("in a scoped thread"));
    });
    println!("panic reported {}", failed.is_err());
}
