//! Inputs as well as schedules: paths of the programs of the literature, with the published figures beside ours.
//!
//! Every row says how many combinations of paths there are, counted by trying everything; where the search counts others,
//! something is wrong with Selvedge, and the benchmark fails.

mod list;

use list::{BUGS, Bug, PATHS, Paths};
use selvedge::drivers;
use selvedge::run::prepare::{Prepared, prepare};
use selvedge_explore::{Options as Search, Progress, Report, Strategy, explore};
use selvedge_machine::Config;
use std::path::Path;
use std::time::{Duration, Instant};

/// What to measure.
#[derive(clap::Args)]
pub struct Options {
    /// Only programs whose name begins like this
    #[arg(long, value_name = "NAME")]
    only: Option<String>,

    /// Stop a search after so many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    seconds: u64,

    /// Numbers of threads that search
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', default_value = "1,2")]
    jobs: Vec<usize>,
}

impl Options {
    fn wants(&self, title: &str) -> bool {
        self.only.as_ref().is_none_or(|name| title.starts_with(name.as_str()))
    }

    fn search(&self) -> Search {
        let max_time = Some(Duration::from_secs(self.seconds));
        Search { strategy: Strategy::Mpc, races: false, max_time, ..Search::default() }
    }
}

/// Prints the tables.
pub fn run(options: &Options) -> Result<(), String> {
    let mut wrong = Vec::new();
    let jobs: String = options.jobs.iter().map(|jobs| format!(" {jobs} jobs |")).collect();
    println!("| program | paths | executions | queries | solver |{jobs} published |");
    println!("|---|---|---|---|---|{}---|", "---|".repeat(options.jobs.len()));
    for row in PATHS.iter().filter(|row| options.wants(row.title)) {
        wrong.extend(paths(row, options)?);
    }
    println!();
    println!("| program | found after | executions for all decisions | queries | time | published |");
    println!("|---|---|---|---|---|---|");
    for row in BUGS.iter().filter(|row| options.wants(row.title)) {
        wrong.extend(bug(row, options)?);
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn program(file: &str, flags: &[&str]) -> Result<Prepared, String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/check/inputs").join(file);
    let flags = flags.iter().map(|flag| (*flag).to_owned()).collect();
    let request = drivers::Request { inputs: vec![source], cflags: flags, ..drivers::Request::default() };
    prepare(&request).map_err(|error| error.to_string())
}

fn search(prepared: &Prepared, options: &Search) -> (Report, Duration) {
    let begun = Instant::now();
    let report = explore(prepared.program.clone(), Config::default(), options, &Progress::default());
    (report, begun.elapsed())
}

fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}

/// One line of the first table; what is wrong with it.
fn paths(row: &Paths, options: &Options) -> Result<Option<String>, String> {
    let prepared = program(row.file, row.flags)?;
    let mut times = Vec::new();
    let mut first: Option<Report> = None;
    let mut wrong = None;
    for &jobs in &options.jobs {
        let search_options = Search { count_paths: true, keep_going: true, jobs, ..options.search() };
        let (report, time) = search(&prepared, &search_options);
        let complete = report.unfinished.is_empty();
        let counts = (report.paths, Some(report.executions));
        if complete && counts != (Some(row.paths), Some(row.paths)) {
            wrong = Some(format!("{}: {counts:?} paths and executions, there are {}", row.title, row.paths));
        }
        times.push(if complete { seconds(time) } else { format!("over {} s", options.seconds) });
        first.get_or_insert(report);
    }
    let first = first.unwrap_or_default();
    println!(
        "| {} | {} | {} | {} | {} | {} | {} |",
        row.title,
        row.paths,
        first.executions,
        first.queries.unwrap_or(0),
        seconds(first.thought.unwrap_or_default()),
        times.join(" | "),
        row.published
    );
    Ok(wrong)
}

/// One line of the second table; what is wrong with it.
fn bug(row: &Bug, options: &Options) -> Result<Option<String>, String> {
    let prepared = program(row.file, row.flags)?;
    let (stopped, _) = search(&prepared, &options.search());
    let (covered, time) = search(&prepared, &Search { keep_going: true, ..options.search() });
    let found = match stopped.findings.is_empty() {
        true => "no bug".to_owned(),
        false => stopped.executions.to_string(),
    };
    let complete = covered.unfinished.is_empty();
    println!(
        "| {} | {found} | {}{} | {} | {} | {} |",
        row.title,
        covered.executions,
        if complete { "" } else { " and more" },
        covered.queries.unwrap_or(0),
        seconds(time),
        row.published
    );
    let right = row.there != stopped.findings.is_empty();
    Ok((!right).then(|| format!("{}: {found}, which is wrong", row.title)))
}
