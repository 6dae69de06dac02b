//! Every lock of parking_lot: its parking code runs on futexes of its own.

use parking_lot::{Condvar, FairMutex, Mutex, Once, ReentrantMutex, RwLock, RwLockUpgradableReadGuard};
use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

static START: Once = Once::new();
static STARTED: AtomicU32 = AtomicU32::new(0);

fn hand_over() -> u32 {
    let slot = Mutex::new(None);
    let filled = Condvar::new();
    thread::scope(|scope| {
        let receiver = scope.spawn(|| {
            let mut slot = slot.lock();
            filled.wait_while(&mut slot, |slot| slot.is_none());
            slot.take().unwrap()
        });
        *slot.lock() = Some(42);
        filled.notify_one();
        receiver.join().unwrap()
    })
}

fn upgrade() -> Vec<u32> {
    let list = RwLock::new(Vec::new());
    thread::scope(|scope| {
        for id in 0..3 {
            let list = &list;
            scope.spawn(move || {
                let reader = list.upgradable_read();
                if reader.len() < 2 {
                    RwLockUpgradableReadGuard::upgrade(reader).push(id);
                }
            });
        }
    });
    println!("list has {} of at most 2 entries", list.read().len());
    list.into_inner()
}

fn main() {
    let counter = Mutex::new(0);
    let fair = FairMutex::new(0);
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                START.call_once(|| {
                    STARTED.fetch_add(1, Ordering::Relaxed);
                });
                for _ in 0..3 {
                    *counter.lock() += 1;
                    *fair.lock() += 2;
                }
            });
        }
    });
    println!(
        "counter {} fair {} started {}",
        counter.into_inner(),
        fair.into_inner(),
        STARTED.load(Ordering::Relaxed)
    );
    println!("handed over {}", hand_over());
    assert_eq!(upgrade().len(), 2);

    let nested = ReentrantMutex::new(Cell::new(1));
    let outer = nested.lock();
    let inner = nested.lock();
    inner.set(outer.get() + 1);
    println!("nested {}", outer.get());
}
