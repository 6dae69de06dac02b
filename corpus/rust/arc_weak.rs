// selvedge: run
// expect: exit 0
// seeds: 4
// native: same
// stdout: strong 1 weak 1
// stdout: dropped 7
// stdout: upgrade gives nothing: true
// stdout: inside new_cyclic [0]
// stdout: made mutable 6

//! Reference counts shared by threads; weak handles stop upgrading when the last owner goes.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Weak};
use std::thread;

static DROPS: AtomicU32 = AtomicU32::new(0);

struct Spool(u32);

impl Drop for Spool {
    fn drop(&mut self) {
        DROPS.fetch_add(self.0, Ordering::SeqCst);
    }
}

fn main() {
    let spool = Arc::new(Spool(7));
    let weak: Weak<Spool> = Arc::downgrade(&spool);
    let handles: Vec<_> = (0..3)
        .map(|_| {
            let mine = Arc::clone(&spool);
            let weak = weak.clone();
            thread::spawn(move || {
                drop(mine);
                weak.upgrade().map_or(0, |spool| spool.0)
            })
        })
        .collect();
    for handle in handles {
        assert_eq!(handle.join().unwrap(), 7, "main still owns the spool");
    }
    println!("strong {} weak {}", Arc::strong_count(&spool), Arc::weak_count(&spool));
    drop(spool);
    println!("dropped {}", DROPS.load(Ordering::SeqCst));
    println!("upgrade gives nothing: {}", weak.upgrade().is_none());

    let cyclic = Arc::new_cyclic(|me: &Weak<Vec<usize>>| vec![me.strong_count()]);
    println!("inside new_cyclic {cyclic:?}");
    let mut value = Arc::new(5);
    *Arc::make_mut(&mut value) += 1;
    println!("made mutable {value}");
}
