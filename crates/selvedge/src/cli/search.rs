//! What every command that looks at all executions can be told: what to look for, and when to give up.

use super::ending::EndArguments;
use super::memory;
use super::values::{from_one, mutant, number, seconds, setting, size, switched_off};
use clap::Args;
use selvedge_explore::{Options, Tuning};
use selvedge_trace::mutants::Mutant;
use selvedge_trace::{Reduction, Reductions, mutants};
use std::time::Duration;

/// What to look for, and when to give up.
#[derive(Args)]
pub struct SearchArguments {
    /// What has to hold when the program has ended.
    #[command(flatten)]
    pub ending: EndArguments,

    /// Do not look for data races
    #[arg(long, help_heading = "What to look for")]
    pub no_races: bool,

    /// Leave out spurious wake-ups: waits on condition variables and futexes return only when they are woken or time out.
    /// The report says so
    #[arg(long, help_heading = "Search")]
    pub no_spurious: bool,

    /// Let waits return for no reason also where views or paths are counted
    #[arg(long, conflicts_with = "no_spurious", help_heading = "Search")]
    pub spurious: bool,

    /// Give up after so many seconds; the verdict is then unknown
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Limits")]
    max_time: Option<Duration>,

    /// Give up when the search needs more memory than this, as in 500M or 2G; three quarters of what is available
    /// without it
    #[arg(long, value_name = "SIZE", value_parser = size, help_heading = "Limits")]
    pub max_memory: Option<u64>,

    /// Give up after so many complete executions
    #[arg(long, value_name = "NUMBER", value_parser = number::<u64>, help_heading = "Limits")]
    max_executions: Option<u64>,

    /// Let a thread come to the same operation within the same calls at most so many times
    #[arg(long, value_name = "NUMBER", value_parser = from_one, help_heading = "Limits")]
    unroll: Option<u32>,

    /// Search without these reductions, or without `all`: to compare, and to find mistakes
    #[arg(long, value_name = "NAME,...", value_parser = switched_off, hide = true, help_heading = "Search")]
    without: Option<Reductions>,

    /// Set a tuning constant, which changes how fast the search is and not what it answers
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting, hide = true, help_heading = "Search")]
    set: Vec<(&'static str, u64)>,

    /// Make a deliberate mistake; in builds with debug assertions alone
    #[arg(long, value_name = "NAME", value_parser = mutant, hide = true, help_heading = "Search")]
    mutant: Option<Mutant>,
}

impl SearchArguments {
    /// Whether the code of Rust's standard library is executed where there is a model of it. Schedules replay with the models
    /// alone, so `all` keeps them.
    pub fn library_code(&self) -> bool {
        let without = self.without.unwrap_or_default();
        without != Reductions::OFF && !without.has(Reduction::StdModels)
    }

    /// For the search; the rest is as it is without options.
    pub fn options(&self) -> Options {
        if let Some(mutant) = self.mutant {
            mutants::activate(mutant);
        }
        let mut tuning = Tuning::default();
        for (name, value) in &self.set {
            tuning.set(name, *value);
        }
        Options {
            reductions: self.without.unwrap_or_default(),
            tuning,
            spurious: !self.no_spurious,
            races: !self.no_races,
            at_end: self.ending.properties(),
            max_time: self.max_time,
            max_memory: self.max_memory.or_else(memory::default_limit),
            max_executions: self.max_executions,
            unroll: self.unroll,
            ..Options::default()
        }
    }
}
