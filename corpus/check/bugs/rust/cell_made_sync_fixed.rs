// selvedge: check
// expect: verified

//! An atomic, which is `Sync` by itself, counted up by two threads.

use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

struct Hits(AtomicU32);

impl Hits {
    fn hit(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

fn main() {
    let hits = Hits(AtomicU32::new(0));
    thread::scope(|scope| {
        scope.spawn(|| hits.hit());
        hits.hit();
    });
    assert_eq!(hits.0.into_inner(), 2);
}
