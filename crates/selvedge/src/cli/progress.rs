//! The line that tells how far a search has come.

use super::terminal::{self, say};
use selvedge_explore::Progress;
use selvedge_report::text::grouped;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How often the line is written anew.
const REFRESH: Duration = Duration::from_millis(250);

/// Shows one line about a search if there is a terminal to show it on.
pub struct Watcher {
    shown: bool,
    begun: Instant,
    written: Instant,
    estimate: Estimate,
}

impl Watcher {
    /// From now on.
    pub fn new(shown: bool) -> Self {
        let begun = Instant::now();
        Watcher { shown, begun, written: begun, estimate: Estimate::default() }
    }

    /// To be called again and again: writes the line anew when it is time.
    pub fn look(&mut self, progress: &Progress) {
        if self.shown && self.written.elapsed() >= REFRESH {
            self.written = Instant::now();
            let width = terminal::style().width.saturating_sub(1);
            let line = line(progress, self.begun.elapsed(), &mut self.estimate);
            say(&format!("\r\x1b[K{}", line.chars().take(width).collect::<String>()));
        }
    }

    /// Takes the line away.
    pub fn end(&mut self) {
        if self.shown {
            say("\r\x1b[K");
        }
    }
}

/// What is said of how much is left.
#[derive(Default)]
struct Estimate {
    /// The round, and when it was first seen.
    round: Option<(u32, Duration)>,
}

impl Estimate {
    /// The share of the present round that is done, and the time that the rest will take; nothing before there is reason
    /// to say something. What is left usually takes less than it seems, because more and more states are known.
    fn words(&mut self, progress: &Progress, time: Duration) -> String {
        let round = progress.rounds.load(Ordering::Relaxed);
        let begun = match self.round {
            Some((known, begun)) if known == round => begun,
            _ => {
                self.round = Some((round, time));
                time
            }
        };
        let spent = (time.saturating_sub(begun)).as_secs_f64();
        let fraction = progress.fraction();
        let name = if round > 1 { format!(" of round {round}") } else { String::new() };
        match fraction {
            _ if spent < 1.0 => String::new(),
            0.05.. => {
                let left = spent * (1.0 - fraction) / fraction;
                format!(", about {:.0} % done{name}, about {} left", fraction * 100.0, duration(left))
            }
            _ => format!(", less than 5 % done{name}"),
        }
    }
}

/// A time in the unit that fits.
fn duration(seconds: f64) -> String {
    match seconds {
        ..100.0 => format!("{:.0} s", seconds.ceil()),
        ..6000.0 => format!("{:.0} min", (seconds / 60.0).ceil()),
        _ => format!("{:.0} h", (seconds / 3600.0).ceil()),
    }
}

fn line(progress: &Progress, time: Duration, estimate: &mut Estimate) -> String {
    let [states, waiting, depth] =
        [&progress.states, &progress.waiting, &progress.depth].map(|counter| counter.load(Ordering::Relaxed));
    let executions = progress.executions.load(Ordering::Relaxed);
    let rate = |count: u64| grouped((count as f64 / time.as_secs_f64().max(0.001)) as u64);
    if states == 0 && executions > 0 {
        // A search that remembers no states.
        return format!(
            "{} executions, {}/s, {:.0} s",
            grouped(executions),
            rate(executions),
            time.as_secs_f64()
        );
    }
    format!(
        "{} states, {}/s, depth {}, {} waiting, {:.0} s{}",
        grouped(states),
        rate(states),
        grouped(depth),
        grouped(waiting),
        time.as_secs_f64(),
        estimate.words(progress, time)
    )
}

#[test]
fn the_line_of_a_search_without_states() {
    let progress = Progress::default();
    progress.executions.store(9_000, Ordering::Relaxed);
    let line = line(&progress, Duration::from_secs(3), &mut Estimate::default());
    assert_eq!(line, "9,000 executions, 3,000/s, 3 s");
}

#[test]
fn the_line_says_how_far() {
    let progress = Progress::default();
    progress.states.store(12_000, Ordering::Relaxed);
    progress.depth.store(70, Ordering::Relaxed);
    let mut estimate = Estimate::default();
    let mut at = |seconds: u64| line(&progress, Duration::from_secs(seconds), &mut estimate);
    assert_eq!(at(3), "12,000 states, 4,000/s, depth 70, 0 waiting, 3 s", "it is too early to say more");
    assert!(at(6).ends_with("6 s, less than 5 % done"));
    progress.done.store(1 << 58, Ordering::Relaxed);
    assert!(at(13).ends_with("13 s, about 25 % done, about 30 s left"));
    progress.rounds.store(2, Ordering::Relaxed);
    assert!(at(14).ends_with("14 s"), "another round, another estimate");
    assert!(at(114).ends_with("about 25 % done of round 2, about 5 min left"));
}
