// selvedge: run
// expect: exit 0
// seeds: 5
// native: same
// stdout: maximum 32
// stdout: granted 5 of 9, tickets 5

//! A lock-free maximum and a saturating counter built from `compare_exchange_weak` loops.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::thread;

fn raise_to(cell: &AtomicU64, candidate: u64) {
    let mut current = cell.load(Ordering::Relaxed);
    while current < candidate {
        match cell.compare_exchange_weak(current, candidate, Ordering::AcqRel, Ordering::Relaxed) {
            Ok(_) => return,
            Err(actual) => current = actual,
        }
    }
}

fn add_up_to(cell: &AtomicU32, limit: u32) -> bool {
    cell.fetch_update(Ordering::SeqCst, Ordering::Relaxed, |value| (value < limit).then_some(value + 1))
        .is_ok()
}

fn main() {
    let maximum = AtomicU64::new(0);
    let tickets = AtomicU32::new(0);
    let granted: usize = thread::scope(|scope| {
        let handles: Vec<_> = (1..=3u64)
            .map(|id| {
                let (maximum, tickets) = (&maximum, &tickets);
                scope.spawn(move || {
                    for step in 0..3 {
                        raise_to(maximum, id * 10 + step);
                    }
                    (0..3).filter(|_| add_up_to(tickets, 5)).count()
                })
            })
            .collect();
        handles.into_iter().map(|h| h.join().unwrap()).sum()
    });
    println!("maximum {}", maximum.into_inner());
    println!("granted {granted} of 9, tickets {}", tickets.into_inner());
}
