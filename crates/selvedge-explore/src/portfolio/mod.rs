//! The portfolio: several searches for one answer, `auto`.
//!
//! Each member is a row that says when it begins, what it needs, for how long it may search and what its answer is worth. A
//! member is given a task and a progress of its own, whose end is fixed when it begins, and hands over by its report: whether
//! that is an answer its row says. Which member begins after which is decided in `interleavings.rs` and `graphs.rs`; how a
//! member explores is the business of its own family.

pub mod graphs;
mod inputs;
pub mod interleavings;

use crate::report::{Budget, Progress, Report};
use crate::{Options, Task, Tuning};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// How often a member that waits looks whether its turn has come.
const PAUSE: Duration = Duration::from_millis(5);

/// One of several searches for one answer.
pub struct Member {
    /// Its name, which is also that of its part of a checkpoint: two turns of the same search share it.
    pub name: &'static str,
    /// What it explores, and when it begins, for the documentation.
    pub explores: &'static str,
    pub begins: &'static str,
    /// What its answer is worth.
    pub worth: Worth,
    /// For how long it may search, if not as long as all of them.
    pub time: Option<fn(&Tuning) -> u64>,
    /// Whether it can answer what is asked.
    pub needs: fn(&Task<'_>) -> bool,
    pub explore: fn(Task<'_>) -> Report,
}

/// What the answer of a member is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    /// That something goes wrong, and that nothing does. Otherwise it says why it hands over.
    Everything,
    /// That nothing goes wrong.
    Verified,
    /// That something goes wrong.
    Violations,
}

impl Worth {
    /// The words of the documentation.
    fn words(self) -> &'static str {
        match self {
            Worth::Everything => "verified and violations",
            Worth::Verified => "verified",
            Worth::Violations => "violations",
        }
    }
}

/// What a member has come to in its turn.
pub struct Turn {
    pub report: Report,
    /// The report is an answer.
    pub answers: bool,
    /// Its time was over before that of all.
    pub out_of_time: bool,
}

impl Member {
    /// Whether it is of use.
    pub fn fits(&self, task: &Task<'_>) -> bool {
        (self.needs)(task)
    }

    /// Lets it search, with a progress of its own.
    pub fn take_turn(&self, task: Task<'_>, progress: &Progress) -> Turn {
        let time = self.time.map(|time| Duration::from_millis(time(&task.options.tuning)));
        let own = progress.member(time);
        let report = self.search(Task { progress: &own, ..task });
        let out_of_time = own.over() == Some(Budget::Time) && progress.over().is_none();
        Turn { answers: self.answers(&report), report, out_of_time }
    }

    /// Lets it search, with the progress of the task.
    pub fn search(&self, task: Task<'_>) -> Report {
        let keep = task.options.keep.as_ref().map(|keep| keep.member(self.name));
        (self.explore)(Task { options: &Options { keep, ..task.options.clone() }, ..task })
    }

    /// Whether a report is an answer.
    pub fn answers(&self, report: &Report) -> bool {
        let verified = || report.findings.is_empty() && report.unfinished.is_empty() && !report.cut;
        match self.worth {
            Worth::Everything => verified() || !report.findings.is_empty(),
            Worth::Verified => verified(),
            Worth::Violations => !report.findings.is_empty(),
        }
    }
}

/// The table of the documentation.
pub fn table() -> String {
    let head = "| models | member | explores | begins | its answers |\n|---|---|---|---|---|\n";
    let rows = |models: &str, members: &[&Member]| -> String {
        let row = |member: &&Member| {
            let Member { name, explores, begins, worth, .. } = member;
            format!("| {models} | {name} | {explores} | {begins} | {} |\n", worth.words())
        };
        members.iter().map(row).collect()
    };
    let interleavings = rows("`sc`, `tso`, `pso`", interleavings::MEMBERS);
    head.to_owned() + &interleavings + &rows("`rc11`, `mca`", graphs::MEMBERS)
}

/// Others beside a leading search.
pub struct Beside<'a, B> {
    /// How far the leading search has come. It is dismissed when the others have an answer.
    pub progress: &'a Progress,
    /// Whether the turn of the others has come.
    pub begins: B,
    /// Whether what the leading search has come to needs the others: then they begin, and are waited for.
    pub in_vain: fn(&Report) -> bool,
}

impl<B: Fn() -> bool + Sync> Beside<'_, B> {
    /// Runs the leading search, and the others from the moment on when their turn has come until either has an answer. What
    /// the others come to, and whether that is an answer; nothing if they have not begun.
    pub fn run<T: Send>(
        &self,
        lead: impl FnOnce() -> Report,
        others: impl FnOnce(&Progress) -> (T, bool) + Send,
    ) -> (Report, Option<T>) {
        let (own, wanted) = (self.progress.member(None), AtomicBool::new(false));
        let both = thread::scope(|scope| {
            let beside = scope.spawn(|| {
                while !(self.begins)() && !wanted.load(Ordering::Relaxed) {
                    if own.over().is_some() {
                        return None;
                    }
                    thread::park_timeout(PAUSE);
                }
                let (came, answers) = others(&own);
                if answers {
                    self.progress.dismiss();
                }
                Some(came)
            });
            let report = lead();
            let in_vain = (self.in_vain)(&report);
            wanted.store(in_vain, Ordering::Relaxed);
            while in_vain && !beside.is_finished() && !self.progress.stop.load(Ordering::Relaxed) {
                thread::park_timeout(PAUSE);
            }
            own.dismiss();
            beside.thread().unpark();
            (report, beside.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        });
        self.progress.call_back();
        both
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Unfinished;
    use std::time::Instant;

    /// A leading search that goes on until it is told to stop, and others that begin at once or never.
    fn endless(
        begins: bool,
        others: impl FnOnce(&Progress) -> (Report, bool) + Send,
    ) -> (Report, Option<Report>) {
        let progress = Progress::default();
        progress.set_limit(Instant::now().checked_add(Duration::from_millis(200)));
        let lead = || {
            while progress.over().is_none() {
                thread::yield_now();
            }
            let budget = progress.over().unwrap_or(Budget::Time);
            Report { unfinished: vec![Unfinished::Budget(budget)], ..Report::default() }
        };
        Beside { progress: &progress, begins: || begins, in_vain: |_| false }.run(lead, others)
    }

    fn ended_by(report: &Report, budget: Budget) -> bool {
        matches!(report.unfinished[..], [Unfinished::Budget(own)] if own == budget)
    }

    #[test]
    fn the_member_that_is_through_first_has_the_answer() {
        let (report, other) = endless(true, |_| (Report { executions: 7, ..Report::default() }, true));
        assert!(ended_by(&report, Budget::Interrupted));
        assert_eq!(other.map(|report| report.executions), Some(7));
    }

    #[test]
    fn an_answer_that_is_none_dismisses_no_search() {
        let (report, other) = endless(true, |_| (Report::default(), false));
        assert!(ended_by(&report, Budget::Time) && other.is_some());
    }

    #[test]
    fn small_searches_are_left_alone() {
        let (report, other) = endless(false, |_| unreachable!("its turn has not come"));
        assert!(ended_by(&report, Budget::Time) && other.is_none());
    }

    #[test]
    fn answers_are_what_they_are_worth() {
        let verified = Report::default();
        let lost = Report { unfinished: vec![Unfinished::Lost], ..Report::default() };
        let cut = Report { cut: true, ..Report::default() };
        for member in interleavings::MEMBERS.iter().chain(graphs::MEMBERS) {
            assert_eq!(member.answers(&verified), member.worth != Worth::Violations, "{}", member.name);
            assert!(!member.answers(&lost) && !member.answers(&cut), "{}", member.name);
        }
    }
}
