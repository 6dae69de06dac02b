// selvedge: run
// expect: exit 0
// seeds: 5
// native: same
// stdout: before: false None
// stdout: after: true Some("selvedge")
// stdout: set again: Err("other")
// stdout: runs 111

//! `Once`, `OnceLock` and `LazyLock` run their initialiser exactly once.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{LazyLock, Once, OnceLock};
use std::thread;

static RUNS: AtomicU32 = AtomicU32::new(0);
static START: Once = Once::new();
static NAME: OnceLock<String> = OnceLock::new();
static TABLE: LazyLock<Vec<u32>> = LazyLock::new(|| {
    RUNS.fetch_add(100, Ordering::Relaxed);
    (0..8).map(|n| n * n).collect()
});

fn main() {
    println!("before: {} {:?}", START.is_completed(), NAME.get());
    thread::scope(|scope| {
        for id in 0..3usize {
            scope.spawn(move || {
                START.call_once(|| {
                    RUNS.fetch_add(1, Ordering::Relaxed);
                });
                let name = NAME.get_or_init(|| {
                    RUNS.fetch_add(10, Ordering::Relaxed);
                    String::from("selvedge")
                });
                assert_eq!(name.len(), 8);
                assert_eq!(TABLE[id + 1], ((id + 1) * (id + 1)) as u32);
            });
        }
    });
    println!("after: {} {:?}", START.is_completed(), NAME.get());
    println!("set again: {:?}", NAME.set(String::from("other")));
    println!("runs {}", RUNS.load(Ordering::Relaxed));
}
