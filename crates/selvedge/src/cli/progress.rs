//! The line that tells how far a search has come, and the user's wish to end it.

use super::terminal::say;
use selvedge_explore::Progress;
use selvedge_report::text::grouped;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How often the line is written anew.
const REFRESH: Duration = Duration::from_millis(250);
/// How often the user's wish is looked at.
const LOOK: Duration = Duration::from_millis(25);

/// Does `work` while somebody watches its progress: passes on the user's wish to stop, and if there is a terminal to
/// show it on, shows one line.
pub fn watched<T>(progress: &Progress, interrupted: &AtomicBool, shown: bool, work: impl FnOnce() -> T) -> T {
    std::thread::scope(|scope| {
        let (done, waiting) = mpsc::channel::<()>();
        scope.spawn(move || {
            let begun = Instant::now();
            let mut written = begun;
            while let Err(RecvTimeoutError::Timeout) = waiting.recv_timeout(LOOK) {
                if interrupted.load(Ordering::Relaxed) {
                    progress.stop.store(true, Ordering::Relaxed);
                }
                if shown && written.elapsed() >= REFRESH {
                    written = Instant::now();
                    say(&format!("\r\x1b[K{}", line(progress, begun.elapsed())));
                }
            }
            if shown {
                say("\r\x1b[K");
            }
        });
        // Dropped also when the work panics: the watcher must not wait for ever.
        let done = done;
        let result = work();
        drop(done);
        result
    })
}

fn line(progress: &Progress, time: Duration) -> String {
    let [states, waiting, depth] =
        [&progress.states, &progress.waiting, &progress.depth].map(|counter| counter.load(Ordering::Relaxed));
    let rate = states as f64 / time.as_secs_f64().max(0.001);
    format!(
        "{} states, {}/s, depth {}, {} waiting, {:.0} s",
        grouped(states),
        grouped(rate as u64),
        grouped(depth),
        grouped(waiting),
        time.as_secs_f64()
    )
}

#[test]
fn the_line_says_how_far() {
    let progress = Progress::default();
    progress.states.store(12_000, Ordering::Relaxed);
    progress.depth.store(70, Ordering::Relaxed);
    assert_eq!(line(&progress, Duration::from_secs(3)), "12,000 states, 4,000/s, depth 70, 0 waiting, 3 s");
}
