//! Runs cases until there are enough of them or the time is over, and keeps what failed.
//!
//! A case is determined by its number alone, so that one number repeats it.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The loader recurses over what programs contain: the default of threads is small.
const STACK: usize = 64 << 20;

/// Which cases to run.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// What kind of cases, as on the command line.
    pub mode: &'static str,
    /// Number of the first case.
    pub seed: u64,
    /// How many cases at most.
    pub count: Option<u64>,
    /// When to stop.
    pub time: Option<Duration>,
}

/// How a case went that found nothing.
#[derive(Debug, PartialEq, Eq)]
pub enum Ran {
    /// Everything was as it should be.
    Passed,
    /// It could not be tried, for this reason.
    Skipped(String),
}

impl Ran {
    /// Skipped, for this reason.
    pub fn skipped(why: &str) -> Self {
        Ran::Skipped(why.to_owned())
    }
}

/// A case that went wrong.
#[derive(Debug, Default)]
pub struct Failure {
    /// What is wrong.
    pub what: String,
    /// What it went wrong with: names and contents.
    pub files: Vec<(String, Vec<u8>)>,
}

impl From<String> for Failure {
    fn from(what: String) -> Self {
        Failure { what, files: Vec::new() }
    }
}

/// What a campaign came to.
#[derive(Debug, Default)]
pub struct Summary {
    /// Cases that passed.
    pub passed: u64,
    /// Cases that were skipped, by reason.
    pub skipped: BTreeMap<String, u64>,
    /// What was found, one paragraph each.
    pub findings: Vec<String>,
}

impl Summary {
    /// Counts a case that found nothing.
    pub fn count(&mut self, ran: Ran) {
        match ran {
            Ran::Passed => self.passed += 1,
            Ran::Skipped(why) => *self.skipped.entry(why).or_default() += 1,
        }
    }

    /// How many cases were skipped.
    pub fn all_skipped(&self) -> u64 {
        self.skipped.values().sum()
    }

    /// In one line.
    pub fn line(&self) -> String {
        let mut text = format!("{} passed, {} failed", self.passed, self.findings.len());
        for (why, count) in &self.skipped {
            text.push_str(&format!(", {count} skipped ({why})"));
        }
        text
    }
}

/// Where what failed is kept.
pub fn kept() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).join("target/fuzz")
}

impl Campaign {
    /// Runs the cases on as many threads as there are cores.
    pub fn run(&self, case: impl Fn(u64) -> Result<Ran, Failure> + Sync) -> Summary {
        let begun = Instant::now();
        let next = AtomicU64::new(0);
        let summary = Mutex::new(Summary::default());
        let work = || {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let over = self.time.is_some_and(|time| begun.elapsed() >= time);
                if over || self.count.is_some_and(|count| index >= count) {
                    return;
                }
                let number = self.seed.wrapping_add(index);
                let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| case(number)));
                let result = result.unwrap_or_else(|panic| {
                    let message = panic.downcast_ref::<String>().cloned();
                    let message =
                        message.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
                    Err(Failure::from(format!("internal error: {}", message.unwrap_or_default())))
                });
                let mut summary = summary.lock().unwrap_or_else(PoisonError::into_inner);
                match result {
                    Ok(ran) => summary.count(ran),
                    Err(failure) => {
                        let text = self.keep(number, &failure);
                        eprintln!("FAIL {text}");
                        summary.findings.push(text);
                    }
                }
            }
        };
        std::thread::scope(|scope| {
            let workers = std::thread::available_parallelism().map_or(1, usize::from);
            for _ in 0..workers {
                let started = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
                if let Err(error) = started {
                    eprintln!("a thread could not be started: {error}");
                }
            }
        });
        summary.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs the cases as [`run`](Self::run), but prepares `size` of them at a time together.
    pub fn run_together<T>(
        &self,
        size: u64,
        prepare: impl Fn(&[u64]) -> Result<T, Failure> + Sync,
        case: impl Fn(&T, usize) -> Result<Ran, Failure> + Sync,
    ) -> Summary {
        let total = Mutex::new(Summary::default());
        let batches =
            Campaign { seed: 0, count: self.count.map(|count| count.div_ceil(size)), ..self.clone() };
        let summary = batches.run(|batch| {
            let first = batch * size;
            let last = self.count.map_or(first + size, |count| count.min(first + size));
            let numbers: Vec<u64> = (first..last).map(|index| self.seed.wrapping_add(index)).collect();
            let prepared = prepare(&numbers)?;
            for (index, &number) in numbers.iter().enumerate() {
                let ran = case(&prepared, index);
                let mut total = total.lock().unwrap_or_else(PoisonError::into_inner);
                match ran {
                    Ok(ran) => total.count(ran),
                    Err(failure) => {
                        let text = self.keep(number, &failure);
                        eprintln!("FAIL {text}");
                        total.findings.push(text);
                    }
                }
            }
            Ok(Ran::Passed)
        });
        let mut total = total.into_inner().unwrap_or_else(PoisonError::into_inner);
        // All of them fail if they cannot be prepared or something panics.
        total.findings.extend(summary.findings);
        total
    }

    /// Writes the files of a failed case and says how to repeat it.
    pub fn keep(&self, number: u64, failure: &Failure) -> String {
        let folder = kept().join(format!("{}-{number}", self.mode));
        let mut text = format!("{} {number}: {}", self.mode, failure.what.trim_end());
        text.push_str(&format!(
            "\n  repeat: cargo run -p selvedge-fuzz -- {} --seed {number} --count 1",
            self.mode
        ));
        let write = || -> std::io::Result<()> {
            std::fs::create_dir_all(&folder)?;
            for (name, bytes) in &failure.files {
                std::fs::File::create(folder.join(name))?.write_all(bytes)?;
            }
            std::fs::write(folder.join("finding.txt"), &text)
        };
        match write() {
            Ok(()) => text.push_str(&format!("\n  kept in: {}", folder.display())),
            Err(error) => text.push_str(&format!("\n  not kept: {error}")),
        }
        text
    }
}
