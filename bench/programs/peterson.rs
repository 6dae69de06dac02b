// selvedge: check --cflags="--cfg small"
// expect: verified
// selvedge: check --cflags="--cfg small --cfg bug"
// expect: violation panic

//! Peterson's algorithm, many rounds; a thread that would have to wait gives up.
//! With `bug` the turn is given away before the flag is raised.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::thread;

const ROUNDS: usize = if cfg!(small) { 2 } else { 100 };

#[derive(Default)]
struct Door {
    wants: [AtomicBool; 2],
    turn: AtomicUsize,
    inside: AtomicUsize,
}

impl Door {
    fn enter(&self, me: usize) -> bool {
        let other = 1 - me;
        if cfg!(bug) {
            self.turn.store(other, SeqCst);
            self.wants[me].store(true, SeqCst);
        } else {
            self.wants[me].store(true, SeqCst);
            self.turn.store(other, SeqCst);
        }
        let contended = self.wants[other].load(SeqCst);
        let waits = self.turn.load(SeqCst) == other;
        !(contended && waits)
    }

    fn work(&self, me: usize) {
        for _ in 0..ROUNDS {
            if !self.enter(me) {
                return;
            }
            self.inside.store(me + 1, SeqCst);
            assert_eq!(self.inside.load(SeqCst), me + 1);
            self.wants[me].store(false, SeqCst);
        }
    }
}

fn main() {
    let door = Arc::new(Door::default());
    let threads = [0, 1].map(|me| {
        let door = Arc::clone(&door);
        thread::spawn(move || door.work(me))
    });
    for thread in threads {
        thread.join().unwrap();
    }
}
