//! Limits are promises: an answer comes when it has to come, whatever the search is doing at that moment.
//!
//! Searches look at their limits all the time and answer with what they know by then. That rests on every loop doing
//! so. The promise must not: a search runs on a thread of its own, and the thread that waits for it waits a little
//! longer than the limits allow and no more. Then the best answer so far is given, and the process ends without the
//! search.

use super::progress::Watcher;
use selvedge_explore::{Budget, Progress};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How often the limits, and the user's wish, are looked at.
const LOOK: Duration = Duration::from_millis(10);
/// A search that was told to end may take so long for that.
const GRACE: Duration = Duration::from_millis(800);
/// And so much of its limit of time, if that is more.
const SHARE: u32 = 12;
/// The search calls deeply nested functions of ours; the main thread of a process has less.
const STACK: usize = 256 << 20;

/// What was promised.
#[derive(Clone, Copy, Debug, Default)]
pub struct Promise {
    /// The limit of time.
    pub time: Option<Duration>,
    /// The limit of memory, in bytes beyond what the process has now.
    pub memory: Option<u64>,
}

/// When a limit was reached first.
#[derive(Default)]
struct Reached {
    first: Option<(Budget, Instant)>,
}

impl Reached {
    /// What has to be answered now: the limit that was reached too long ago.
    fn overdue(&mut self, now: Option<Budget>, grace: Duration) -> Option<Budget> {
        match (now, self.first) {
            (None, _) => {
                self.first = None;
                None
            }
            (Some(_), Some((budget, since))) => (since.elapsed() > grace).then_some(budget),
            (Some(budget), None) => {
                self.first = Some((budget, Instant::now()));
                None
            }
        }
    }
}

/// Does `work` on a thread of its own while its progress is watched, and passes on the user's wish to stop. The limit that
/// was broken if it does not end in time: then it still runs, and the process should end with [`leave`].
pub fn keep<T: Send + 'static>(
    promise: Promise,
    progress: &Arc<Progress>,
    interrupted: &AtomicBool,
    shown: bool,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Budget> {
    let before = crate::check::resident().unwrap_or(0);
    let (done, waiting) = mpsc::channel::<T>();
    let begun = Instant::now();
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        // The receiver is gone if it took too long.
        let _ = done.send(work());
    });
    let Ok(worker) = worker else { return Err(Budget::Memory) };
    let grace = promise.time.map_or(GRACE, |time| (time / SHARE).max(GRACE));
    let (mut reached, mut watcher) = (Reached::default(), Watcher::new(shown));
    loop {
        match waiting.recv_timeout(LOOK) {
            Ok(result) => {
                watcher.end();
                let _ = worker.join();
                return Ok(result);
            }
            Err(RecvTimeoutError::Disconnected) => {
                // It panicked, which the hook has reported; it does not come back from there.
                watcher.end();
                std::process::exit(i32::from(super::code::BUG));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        if interrupted.load(Ordering::Relaxed) {
            progress.stop.store(true, Ordering::Relaxed);
        }
        watcher.look(progress);
        let taken = || crate::check::resident().unwrap_or(0).saturating_sub(before);
        let (memory, most) =
            (promise.memory.map(|_| taken()).unwrap_or(0), promise.memory.unwrap_or(u64::MAX));
        let budget = match () {
            () if progress.stop.load(Ordering::Relaxed) => Some(Budget::Interrupted),
            () if promise.time.is_some_and(|time| begun.elapsed() > time) => Some(Budget::Time),
            () if memory > most => Some(Budget::Memory),
            () => None,
        };
        let beyond = (memory > most.saturating_add(most / 10)).then_some(Budget::Memory);
        if let Some(budget) = beyond.or_else(|| reached.overdue(budget, grace)) {
            watcher.end();
            return Err(budget);
        }
    }
}

/// Ends the process, with all its threads and the processes that they have started, without waiting for any of them.
pub fn leave(code: u8) -> ! {
    use std::io::Write;
    let _ = std::io::stdout().flush();
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    for task in tasks {
        let children = std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
        for child in children.split_whitespace().filter_map(|word| word.parse().ok()) {
            // SAFETY: a child of this process that was not waited for: its number is not used again.
            unsafe { libc::kill(child, libc::SIGKILL) };
        }
    }
    // SAFETY: ends the process at once. What is done at the usual end of a process is not safe beside other threads.
    unsafe { libc::_exit(i32::from(code)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept<T: Send + 'static>(
        promise: Promise,
        interrupted: bool,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Budget> {
        keep(promise, &Arc::default(), &AtomicBool::new(interrupted), false, work)
    }

    /// Longer than any limit of these tests.
    fn sleep() {
        std::thread::sleep(Duration::from_secs(60));
    }

    #[test]
    fn work_that_ends_is_waited_for() {
        assert_eq!(kept(Promise::default(), false, || 7), Ok(7));
        let promise = Promise { time: Some(Duration::ZERO), memory: Some(1 << 40) };
        assert_eq!(kept(promise, true, || 7), Ok(7), "there is a grace");
    }

    #[test]
    fn work_that_does_not_look_at_the_time_is_left_behind() {
        let promise = Promise { time: Some(Duration::from_millis(50)), memory: None };
        assert_eq!(kept(promise, false, sleep), Err(Budget::Time));
        assert_eq!(kept(Promise::default(), true, sleep), Err(Budget::Interrupted));
    }

    #[test]
    fn work_that_takes_too_much_memory_is_left_behind() {
        let promise = Promise { time: None, memory: Some(8 << 20) };
        let take = || {
            let taken = vec![1_u8; 64 << 20];
            sleep();
            taken.len()
        };
        assert_eq!(kept(promise, false, take), Err(Budget::Memory));
    }
}
