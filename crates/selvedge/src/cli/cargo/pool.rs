//! Tests that are being checked, each in a copy of this process that ends with its answer.

use super::outcome::Outcome;
use crate::check::Settings;
use crate::cli::check::{numbered, search};
use crate::drivers::Copy;
use crate::run::prepare::Prepared;
use selvedge_report::Style;
use selvedge_trace::write_schedule;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often it is looked whether a check has come to its end.
const LOOK: Duration = Duration::from_millis(5);
/// A check that is this much later than it promised to be is ended.
const GRACE: Duration = Duration::from_secs(30);

/// A check that is to be made.
pub struct Task {
    pub prepared: Arc<Prepared>,
    pub settings: Settings,
    /// The folder in which the test works.
    pub folder: PathBuf,
    /// Where the schedule of a violation goes, as the user names it from that folder.
    pub schedule: PathBuf,
    /// The command that replays a schedule, up to the file.
    pub replay: String,
}

/// Checks that are being made, of tests that are told apart by a `T`.
pub struct Pool<T> {
    folder: tempfile::TempDir,
    running: Vec<Running<T>>,
    begun: usize,
    interrupted: Arc<AtomicBool>,
}

struct Running<T> {
    copy: Copy,
    test: T,
    answer: PathBuf,
    said: PathBuf,
    model: &'static str,
    since: Instant,
    patience: Duration,
    told: bool,
}

impl<T> Pool<T> {
    /// None yet.
    pub fn new(folder: tempfile::TempDir, interrupted: Arc<AtomicBool>) -> Self {
        Pool { folder, running: Vec::new(), begun: 0, interrupted }
    }

    /// Begins a check. The test comes back if the system does not let it.
    pub fn begin(&mut self, test: T, task: Task) -> Result<(), T> {
        self.begun += 1;
        let file = |end: &str| self.folder.path().join(format!("{}.{end}", self.begun));
        let (answer, said) = (file("json"), file("said"));
        let patience = task.settings.options.max_time.unwrap_or(Duration::MAX / 4);
        let model = task.settings.model.name();
        let copy = {
            let (answer, interrupted) = (answer.clone(), self.interrupted.clone());
            Copy::begin(&said, move || work(task, &answer, &interrupted))
        };
        let Some(copy) = copy else { return Err(test) };
        let since = Instant::now();
        self.running.push(Running { copy, test, answer, said, model, since, patience, told: false });
        Ok(())
    }

    /// Waits until less than `most` checks are being made, and tells of those that end.
    pub fn wait(&mut self, most: usize, mut tell: impl FnMut(T, Outcome)) {
        loop {
            let mut index = 0;
            while index < self.running.len() {
                match self.running[index].ended() {
                    Some(outcome) => {
                        let running = self.running.remove(index);
                        tell(running.test, outcome);
                    }
                    None => index += 1,
                }
            }
            if self.running.len() < most.max(1) {
                return;
            }
            if self.interrupted.load(Ordering::Relaxed) {
                self.running.iter_mut().for_each(Running::interrupt);
            }
            std::thread::sleep(LOOK);
        }
    }
}

impl<T> Running<T> {
    fn interrupt(&mut self) {
        if !self.told {
            self.told = true;
            self.copy.interrupt();
        }
    }

    /// What came out, if it is over.
    fn ended(&mut self) -> Option<Outcome> {
        let seconds = self.since.elapsed().as_secs_f64();
        let failed = |what: &str| Some(Outcome::failed(what, self.model, seconds));
        match self.copy.try_wait() {
            Ok(None) if self.since.elapsed() > self.patience.saturating_mul(2).saturating_add(GRACE) => {
                self.copy.kill();
                failed("the check did not come to an end in time")
            }
            Ok(None) => None,
            Ok(Some(status)) => {
                let answer = std::fs::read(&self.answer).ok();
                let outcome = answer.and_then(|bytes| serde_json::from_slice::<Outcome>(&bytes).ok());
                outcome.or_else(|| {
                    let said = std::fs::read_to_string(&self.said).unwrap_or_default();
                    let said = said.trim().trim_start_matches("selvedge: ");
                    failed(&if said.is_empty() {
                        format!("the check gave up: {status}")
                    } else {
                        said.to_owned()
                    })
                })
            }
            Err(cause) => failed(&format!("the check cannot be watched: {cause}")),
        }
    }
}

/// What the copy does: its answer goes to a file.
fn work(task: Task, answer: &Path, interrupted: &AtomicBool) -> i32 {
    let _ = std::env::set_current_dir(&task.folder);
    let (mut checked, _) = search(&task.prepared, task.settings, interrupted, false);
    let found = checked.result.violations.iter_mut().zip(&checked.schedules);
    for (index, (found, schedule)) in found.enumerate() {
        let file = numbered(&task.schedule, index + 1);
        // If that fails, writing says so.
        let _ = file.parent().map(std::fs::create_dir_all);
        match write_schedule(&file, schedule) {
            Ok(()) => {
                let words = [file.display().to_string()];
                found.replay = Some(format!("{} {}", task.replay, crate::cli::program::join(&words)));
                found.schedule = Some(file.display().to_string());
            }
            Err(error) => crate::cli::terminal::say(&format!("selvedge: {error}\n")),
        }
    }
    let outcome = Outcome::new(&checked, Style::default());
    let written = serde_json::to_vec(&outcome).ok().and_then(|bytes| std::fs::write(answer, bytes).ok());
    i32::from(written.is_none())
}
