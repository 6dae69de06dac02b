// selvedge: check
// expect: violation data-race

//! A `Cell` in a wrapper that claims to be `Sync`, counted up by two threads.

use std::cell::Cell;
use std::thread;

struct Hits(Cell<u32>);

unsafe impl Sync for Hits {}

impl Hits {
    fn hit(&self) {
        self.0.set(self.0.get() + 1);
    }
}

fn main() {
    let hits = Hits(Cell::new(0));
    thread::scope(|scope| {
        scope.spawn(|| hits.hit());
        hits.hit();
    });
    assert_eq!(hits.0.into_inner(), 2);
}
