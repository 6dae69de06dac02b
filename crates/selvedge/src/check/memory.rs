//! Watches how much memory a search takes, so that it can go on with less, and ends before the system ends it.

use selvedge_explore::Progress;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// How often the memory is looked at: in that time a search takes some megabytes.
const LOOK: Duration = Duration::from_millis(10);
/// Bytes of a page of the machines that we run on.
const PAGE: u64 = 4096;

/// Does `work`, and tells it when it has taken more than `most` bytes.
pub fn limited<T>(most: Option<u64>, progress: &Progress, work: impl FnOnce() -> T) -> T {
    progress.memory_full.store(false, Ordering::Relaxed);
    progress.memory.store(0, Ordering::Relaxed);
    let (Some(most), Some(before)) = (most, resident()) else { return work() };
    std::thread::scope(|scope| {
        let (done, waiting) = mpsc::channel::<()>();
        scope.spawn(move || {
            while let Err(RecvTimeoutError::Timeout) = waiting.recv_timeout(LOOK) {
                let taken = resident().unwrap_or(0).saturating_sub(before);
                progress.memory.store(taken, Ordering::Relaxed);
                if taken > most {
                    progress.memory_full.store(true, Ordering::Relaxed);
                }
            }
        });
        let result = work();
        drop(done);
        result
    })
}

/// How much memory the process holds.
pub fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split(' ').nth(1)?.parse().ok()?;
    Some(pages * PAGE)
}

#[test]
fn a_search_that_takes_too_much_is_told() {
    let progress = Progress::default();
    limited(Some(64 << 20), &progress, || {
        let mut taken: Vec<Vec<u8>> = Vec::new();
        while !progress.memory_full.load(Ordering::Relaxed) {
            if taken.len() < 256 {
                taken.push(vec![1; 1 << 20]);
            }
        }
        assert!(taken.len() > 32, "told before it was much");
    });
    limited(Some(1 << 40), &progress, || {
        assert!(!progress.memory_full.load(Ordering::Relaxed), "what was is forgotten");
    });
}
