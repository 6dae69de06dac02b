//! `selvedge compare`.

use super::code;
use super::program::ProgramArguments;
use super::promise::{self, Promise};
use super::search::SearchArguments;
use super::terminal::{self, complain, print, say};
use super::values::{SolverArgument, jobs, model, solver_help, strategy};
use crate::check::Settings;
use crate::compare;
use crate::run::prepare::prepare;
use clap::Args;
use selvedge_explore::{Options, Progress, Strategy};
use selvedge_report::Answer;
use selvedge_trace::Model;
use std::io::{self, IsTerminal};
use std::sync::Arc;

/// Look at all executions of a program with several strategies, and compare what they say.
///
/// Prints one line for each strategy: its verdict, how many executions it looked at and how many it began in vain, the
/// views if they are counted, the questions that it asked a solver, time and memory.
#[derive(Args)]
#[command(after_help = EXIT_CODES)]
pub struct CompareArguments {
    #[command(flatten)]
    program: ProgramArguments,

    #[arg(long, help = strategies_help(), value_name = "NAMES", value_parser = strategy, value_delimiter = ',',
          help_heading = "Search")]
    strategies: Vec<Strategy>,

    /// The memory model: sequential consistency, or store buffers as on x86 (tso) or weaker (pso)
    #[arg(long, value_parser = model(), default_value = "sc", help_heading = "Search")]
    model: Model,

    /// Count the views, and compare them
    #[arg(long, help_heading = "Search")]
    count_views: bool,

    /// Collect all violations instead of stopping at the first, and compare them
    #[arg(long, help_heading = "Search")]
    keep_going: bool,

    /// Search with so many threads; all cores without it
    #[arg(long, value_name = "NUMBER", value_parser = jobs, help_heading = "Search")]
    jobs: Option<usize>,

    /// For random and pct: the same seed gives the same executions
    #[arg(long, value_name = "NUMBER", default_value_t = 0, help_heading = "Search")]
    seed: u64,

    /// For random and pct: look at so many executions
    #[arg(long, value_name = "NUMBER", default_value_t = 1000, help_heading = "Search")]
    runs: u64,

    /// For pct: look for what goes wrong when so many things happen in a certain order
    #[arg(long, value_name = "NUMBER", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..),
          help_heading = "Search")]
    depth: u32,

    #[arg(long, help = solver_help(), value_enum, value_name = "NAME", help_heading = "Search")]
    solver: Option<SolverArgument>,

    /// Say how much work questions about the order of events were: reads with their values, constraints, and time
    #[arg(long, help_heading = "Search")]
    stats: bool,

    #[command(flatten)]
    search: SearchArguments,
}

fn strategies_help() -> String {
    let names = Strategy::names_that(|row| row.abilities.compared);
    let limited = Strategy::names_that(|row| row.abilities.compared && row.abilities.by_views);
    format!(
        "The strategies, in the order in which they are run; without it {names}, of which {limited} for a limited time"
    )
}

const EXIT_CODES: &str = "\
Exit codes: 0 verified; 1 violation; 2 two strategies contradict each other (a bug of Selvedge), or wrong usage or
input; 3 unknown.";

impl CompareArguments {
    fn settings(&self, stdin: Vec<u8>) -> Settings {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        Settings {
            model: self.model,
            inputs: self.program.inputs(stdin),
            options: Options {
                keep_going: self.keep_going,
                count_views: self.count_views,
                jobs: self.jobs.unwrap_or_else(cores),
                seed: self.seed,
                runs: self.runs,
                depth: self.depth,
                // Not all strategies explore them.
                spurious: self.search.spurious,
                ..self.search.options()
            },
            cross_check: None,
            second_opinion: false,
            explain_model: false,
            symbolic: None,
        }
    }
}

/// Runs the command; the exit code.
pub fn compare(arguments: &CompareArguments) -> u8 {
    let strategies = match &arguments.strategies[..] {
        [] => compare::usual(),
        given => given.to_vec(),
    };
    let solver = match SolverArgument::solver(arguments.solver, &strategies) {
        Ok(solver) => solver,
        Err(error) => return complain(&error),
    };
    let interrupted = terminal::interruptions();
    let prepared = match prepare(&arguments.program.request()) {
        Ok(prepared) => prepared,
        Err(error) => return complain(&error),
    };
    let settings = match terminal::stdin() {
        Ok(stdin) => {
            let mut settings = arguments.settings(stdin);
            settings.options.solver = solver.clone();
            settings
        }
        Err(error) => {
            return complain(&format!("standard input cannot be read: {error}. Redirect it from a file"));
        }
    };
    let progress = Arc::new(Progress::default());
    let promised = Promise { time: None, memory: settings.options.max_memory };
    let work = {
        let (progress, strategies) = (progress.clone(), arguments.strategies.clone());
        move || compare::compare(&prepared, &settings, &strategies, &progress)
    };
    let shown = io::stderr().is_terminal();
    let comparison = match promise::keep(promised, &progress, &interrupted, shown, work) {
        Ok(comparison) => comparison,
        Err(_) => {
            say("selvedge: a strategy was still searching when it had to end\n");
            promise::leave(code::UNKNOWN);
        }
    };
    print(&comparison.table(arguments.stats));
    if !comparison.contradictions.is_empty() {
        for contradiction in &comparison.contradictions {
            say(&format!("selvedge: {contradiction}\n"));
        }
        say(
            "selvedge: the strategies contradict each other. This is a bug of Selvedge: please report it with the \
             program\n",
        );
        return code::USAGE;
    }
    match comparison.verdict() {
        Answer::Verified => 0,
        Answer::Violation => code::VIOLATION,
        Answer::Unknown => code::UNKNOWN,
    }
}
