//! One search of a program, in any way that answers completely, and what it says.

use crate::random::Random;
use selvedge::check::{self, Checked, Settings};
use selvedge::run::execute::{Captured, Limits};
use selvedge::run::prepare::Prepared;
use selvedge::run::{self, Choose, Trace};
use selvedge_explore::{Answers, Options, Progress, Strategy, Tuning};
use selvedge_report::{Answer, Found};
use selvedge_trace::{Inputs, Model, Reduction, Reductions};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

/// How much slower builds for tests are.
const SLOWNESS: u32 = if cfg!(debug_assertions) { 5 } else { 1 };
/// A search may use the processor for so long: nearly all that are through at all are through in a tenth of it.
pub const LIMIT: Duration = Duration::from_millis(200 * SLOWNESS as u64);
/// It may so long where another search of the program was not through.
pub const SHORT: Duration = Duration::from_millis(50 * SLOWNESS as u64);
/// It may take the processor for so much longer: what was found is followed up after the limit.
const SLACK: Duration = Duration::from_secs(10);
/// By the clock it may take so many times as long: the machine may be busy.
const BUSY: u32 = 50;
/// How often it is looked how long a search has used the processor.
const TICK: Duration = Duration::from_millis(10);
/// Bytes that a search may take.
const MEMORY: u64 = 1 << 30;

/// How to search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// The memory model.
    pub model: Model,
    /// The strategy.
    pub strategy: Strategy,
    /// Reductions that are switched off.
    pub without: Vec<Reduction>,
    /// Tuning constants that are not as usual.
    pub set: Vec<(&'static str, u64)>,
    /// All violations.
    pub keep_going: bool,
    /// All views.
    pub count_views: bool,
    /// Waits may return for no reason.
    pub spurious: bool,
    /// Threads that search.
    pub jobs: usize,
    /// How long it may use the processor.
    pub limit: Duration,
}

/// What a search says.
#[derive(Clone, Debug)]
pub struct Said {
    /// The verdict.
    pub answer: Answer,
    /// Everything was looked at, or it stopped at the first violation as it was told.
    pub complete: bool,
    /// Kinds and lines of violations.
    pub found: BTreeSet<String>,
    /// Kinds of violations.
    pub kinds: BTreeSet<String>,
    /// Views.
    pub classes: Option<u64>,
    /// Why there is no answer.
    pub why: String,
    /// What the program printed where it first goes wrong.
    pub printed: String,
    /// It took all the time that it had.
    pub out_of_time: bool,
}

/// Strategies that answer completely under a model.
pub fn strategies(model: Model) -> Vec<Strategy> {
    Strategy::all_that(|row| row.answers == Answers::Everything && row.models.contains(&model)).collect()
}

impl Search {
    /// The default one.
    pub fn new(model: Model, strategy: Strategy) -> Search {
        let (without, set) = (Vec::new(), Vec::new());
        Search {
            model,
            strategy,
            without,
            set,
            keep_going: false,
            count_views: false,
            spurious: true,
            jobs: 1,
            limit: LIMIT,
        }
    }

    /// Whether nothing is left out.
    pub fn is_plain(&self) -> bool {
        self.without.len() == Reduction::ALL.len()
    }

    /// One with everything at random.
    pub fn random(model: Model, random: &mut Random) -> Search {
        let all = strategies(model);
        let strategy = if random.once_in(2) { Strategy::Auto } else { all[random.below(all.len())] };
        let mut search = Search::new(model, strategy);
        match random.below(5) {
            0 => {}
            1..4 => search.without.push(Reduction::ALL[random.below(Reduction::ALL.len())]),
            _ => {
                let some = Reduction::ALL.iter().copied().filter(|_| random.once_in(2));
                search.without = some.collect();
            }
        }
        if random.once_in(3) {
            for row in Tuning::TABLE {
                if random.once_in(2) {
                    search.set.push((row.name, drawn(row, random)));
                }
            }
        }
        search.keep_going = random.once_in(2);
        search.count_views = !model.is_graph() && random.once_in(4);
        search.jobs = if random.once_in(6) { 2 } else { 1 };
        search
    }

    /// As options of the command line.
    pub fn options(&self) -> String {
        let mut text = format!("--model {} --strategy {}", self.model.name(), self.strategy.name());
        let names: Vec<&str> = self.without.iter().map(|reduction| reduction.name()).collect();
        if !names.is_empty() {
            text.push_str(&format!(" --without {}", names.join(",")));
        }
        self.set.iter().for_each(|(name, value)| text.push_str(&format!(" --set {name}={value}")));
        let switches = [(self.keep_going, " --keep-going"), (self.count_views, " --count-views")];
        switches.iter().filter(|(on, _)| *on).for_each(|(_, name)| text.push_str(name));
        if !self.spurious && !self.count_views {
            text.push_str(" --no-spurious");
        }
        if self.jobs > 1 {
            text.push_str(&format!(" --jobs {}", self.jobs));
        }
        text
    }

    /// What it is counted as: its strategy, and each thing about it that is not as usual.
    pub fn labels(&self) -> Vec<String> {
        let mut all = vec![format!("strategy {}", self.strategy.name())];
        match &self.without[..] {
            [] => {}
            [one] => all.push(format!("without {}", one.name())),
            _ if self.is_plain() => all.push("without all".to_owned()),
            _ => all.push("without several".to_owned()),
        }
        let others = [
            (!self.set.is_empty(), "other constants"),
            (self.keep_going, "keep going"),
            (self.count_views, "count views"),
            (self.jobs > 1, "several jobs"),
        ];
        all.extend(others.iter().filter(|(is, _)| *is).map(|(_, name)| (*name).to_owned()));
        all
    }

    /// The same with one thing less about it that is not as usual.
    pub fn simpler(&self) -> Vec<Search> {
        let mut all = vec![
            Search { without: Vec::new(), ..self.clone() },
            Search { set: Vec::new(), ..self.clone() },
            Search { jobs: 1, ..self.clone() },
            Search { keep_going: false, ..self.clone() },
            Search { count_views: false, ..self.clone() },
        ];
        let one_less = |leave: usize| {
            let mut search = self.clone();
            search.without.remove(leave);
            search
        };
        all.extend((0..self.without.len()).map(one_less));
        all.retain(|search| search != self);
        all
    }

    /// Searches. An error is a mistake whatever the others say.
    pub fn run(&self, prepared: &Prepared, arguments: &[String]) -> Result<Said, String> {
        let mut tuning = Tuning::default();
        for (name, value) in &self.set {
            tuning.set(name, *value);
        }
        let reductions = self.without.iter().fold(Reductions::ON, |all, &one| all.without(one));
        let options = Options {
            strategy: self.strategy,
            keep_going: self.keep_going,
            count_views: self.count_views,
            spurious: self.spurious,
            reductions,
            tuning,
            jobs: self.jobs,
            max_time: Some(self.limit * BUSY),
            max_memory: Some(MEMORY),
            ..Options::default()
        };
        let inputs = Inputs { arguments: arguments.to_vec(), ..Inputs::default() };
        let settings = Settings {
            model: self.model,
            inputs,
            options,
            cross_check: None,
            // Others are what the fuzzer asks itself.
            second_opinion: false,
            explain_model: false,
            symbolic: None,
        };
        let begun = processor_time();
        let (limit, progress) = (self.limit * self.jobs as u32, Progress::default());
        let checked = within(limit, &progress.stop, || check::check(prepared, &settings, &progress));
        let took = processor_time().saturating_sub(begun);
        if took > limit + SLACK {
            return Err(format!("took {:.1} s", took.as_secs_f64()));
        }
        let said = said(prepared, &settings, &checked)?;
        let out_of_time = said.answer == Answer::Unknown && took >= limit;
        Ok(Said { out_of_time, ..said })
    }
}

/// Does something, and says that it has to stop when it has used the processor for so long.
fn within<T>(limit: Duration, stop: &AtomicBool, work: impl FnOnce() -> T) -> T {
    let begun = processor_time();
    std::thread::scope(|scope| {
        let (working, ended) = mpsc::channel::<()>();
        scope.spawn(move || {
            while ended.recv_timeout(TICK) == Err(mpsc::RecvTimeoutError::Timeout) {
                if processor_time().saturating_sub(begun) >= limit {
                    stop.store(true, Ordering::Relaxed);
                    return;
                }
            }
        });
        let done = work();
        drop(working);
        done
    })
}

/// How long the processor has worked for this process and the children that it has waited for: unlike the clock it does
/// not depend on other processes.
pub fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // In hundredths of a second, after the name, which is in brackets.
    let fields = text.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: u64 = fields.skip(11).take(4).filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(10 * ticks)
}

/// A value of a tuning constant: the ends more often than others, and small ones more often than large ones.
fn drawn(row: &selvedge_explore::Constant, random: &mut Random) -> u64 {
    match random.below(4) {
        0 => row.least,
        1 => row.most,
        _ => {
            let width = u64::BITS - (row.most - row.least).leading_zeros();
            let bits = random.below(width as usize + 1) as u32;
            let mask = if bits >= u64::BITS { u64::MAX } else { (1 << bits) - 1 };
            row.least + (random.number() & mask).min(row.most - row.least)
        }
    }
}

fn said(prepared: &Prepared, settings: &Settings, checked: &Checked) -> Result<Said, String> {
    let result = &checked.result;
    let why: Vec<String> =
        result.unknown.iter().map(|unknown| format!("{}: {}", unknown.what, unknown.advice)).collect();
    let why = why.join("; ");
    if why.contains("bug of Selvedge") || why.contains("contradict") {
        return Err(why);
    }
    // A thread that waits for ever does so at an operation or in a loop, and both names may be given.
    let kind = |found: &Found| match found.violation.kind.name() {
        "livelock" => "deadlock".to_owned(),
        name => name.to_owned(),
    };
    let line = |found: &Found| {
        let place = found.violation.place.as_ref().map(|place| place.position()).unwrap_or_default();
        let place = place.rsplit('/').next().unwrap_or_default();
        match kind(found).as_str() {
            // Which of the waiting threads is named first is no matter.
            "deadlock" => "deadlock".to_owned(),
            kind => format!("{kind} {place}"),
        }
    };
    let printed = match checked.schedules.first() {
        Some(schedule) => printed(prepared, settings, schedule)?,
        None => String::new(),
    };
    Ok(Said {
        answer: result.verdict,
        complete: result.unknown.is_empty(),
        found: result.violations.iter().map(line).collect(),
        kinds: result.violations.iter().map(kind).collect(),
        classes: result.covered.classes,
        why,
        printed,
        out_of_time: false,
    })
}

/// What the program prints with a schedule.
fn printed(
    prepared: &Prepared,
    settings: &Settings,
    schedule: &selvedge_trace::Schedule,
) -> Result<String, String> {
    let limits = Limits { steps: None, time: Some(LIMIT * BUSY), interrupted: None };
    let settings = run::Settings {
        choose: Choose::Replay(Box::new(schedule.clone())),
        model: schedule.model,
        inputs: settings.inputs.clone(),
        trace: Trace::Off,
        limits,
    };
    let mut output = Captured::default();
    run::run(prepared, &settings, &mut output).map_err(|error| format!("a schedule: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
