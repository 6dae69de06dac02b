// selvedge: run
// expect: exit 0
// seeds: 4
// native: same
// stdout: main visits 101
// stdout: thread visits [102, 102, 102]
// stdout: dropped with the threads 66
// stdout: main ledger [1000]

//! Each thread has its own copy of a thread local, dropped when the thread ends.

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

static DROPPED: AtomicU32 = AtomicU32::new(0);

struct Ledger(Vec<u32>);

impl Drop for Ledger {
    fn drop(&mut self) {
        DROPPED.fetch_add(self.0.iter().sum::<u32>(), Ordering::SeqCst);
    }
}

thread_local! {
    static LEDGER: RefCell<Ledger> = const { RefCell::new(Ledger(Vec::new())) };
    static VISITS: Cell<u32> = Cell::new(100);
}

fn record(value: u32) -> u32 {
    LEDGER.with_borrow_mut(|ledger| ledger.0.push(value));
    VISITS.set(VISITS.get() + 1);
    VISITS.get()
}

fn main() {
    println!("main visits {}", record(1000));
    let handles: Vec<_> = (1..=3)
        .map(|id| {
            thread::spawn(move || {
                record(id);
                record(id * 10)
            })
        })
        .collect();
    let visits: Vec<u32> = handles.into_iter().map(|h| h.join().unwrap()).collect();
    println!("thread visits {visits:?}");
    println!("dropped with the threads {}", DROPPED.load(Ordering::SeqCst));
    println!("main ledger {:?}", LEDGER.with_borrow(|ledger| ledger.0.clone()));
}
