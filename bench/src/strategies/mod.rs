//! Every strategy on the programs of the literature: executions and time, with the published figures beside them.
//!
//! Views are counted, so that the numbers of executions can be judged: a published search with fewer executions than
//! there are views has missed some. Where two strategies count different views something is wrong with Selvedge, and the
//! benchmark fails.

mod list;

use crate::check::count;
use crate::check::limits::{self, End, Limits};
use crate::check::ours::Ours;
use list::{CASES, Likeness, Published, Row};
use selvedge_explore::Strategy;
use std::path::PathBuf;
use std::time::Duration;

/// What to measure.
#[derive(clap::Args)]
pub struct Options {
    /// Only programs whose name begins like this
    #[arg(long, value_name = "NAME")]
    only: Option<String>,

    /// The memory model: sc, tso or pso
    #[arg(long, default_value = "sc")]
    model: String,

    /// Only these strategies; all that can be complete without it
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    strategies: Vec<String>,

    /// Stop a strategy on a program after so many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    seconds: u64,

    /// Let these seconds be the processor's, not the clock's: on a machine that has other things to do
    #[arg(long)]
    processor: bool,

    /// Stop a strategy on a program when it takes so many MiB
    #[arg(long, value_name = "MIB", default_value_t = 2048)]
    memory: u64,

    /// This program instead of a fresh build
    #[arg(long, value_name = "PATH")]
    selvedge: Option<PathBuf>,
}

/// What a strategy says of a program.
struct Answer {
    /// All of them, if the search was complete.
    views: Option<u64>,
    /// What goes into the table.
    cell: String,
}

/// Prints the table.
pub fn run(options: &Options) -> Result<(), String> {
    let known = |name: &String| Strategy::ALL.iter().any(|strategy| strategy.name() == name);
    if let Some(wrong) = options.strategies.iter().find(|name| !known(name)) {
        return Err(format!("there is no strategy {wrong}. selvedge check --help names them"));
    }
    let wanted = |strategy: &&Strategy| match options.strategies.is_empty() {
        true => strategy.is_complete(),
        false => options.strategies.iter().any(|name| name == strategy.name()),
    };
    let strategies: Vec<Strategy> = Strategy::ALL.iter().filter(wanted).copied().collect();
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let ours = Ours::prepare(options.selvedge.as_deref(), folder.path())?;
    let names: String = strategies.iter().map(|strategy| format!(" {} |", strategy.name())).collect();
    println!("| program | views |{names} published | remark |");
    println!("|---|---|{}---|---|", "---|".repeat(strategies.len()));
    let mut wrong = Vec::new();
    for row in CASES.iter().filter(|row| row.models.contains(&options.model.as_str())) {
        if options.only.as_ref().is_some_and(|name| !row.title.starts_with(name.as_str())) {
            continue;
        }
        let answers: Vec<Answer> = strategies
            .iter()
            .map(|&strategy| ask(&ours, row, strategy, options))
            .collect::<Result<_, _>>()?;
        let views = match agreed(row, &options.model, &answers) {
            Ok(views) => views,
            Err(what) => {
                wrong.push(what);
                None
            }
        };
        let cells: String = answers.iter().map(|answer| format!(" {} |", answer.cell)).collect();
        let published: Vec<&Published> = row.published(&options.model).collect();
        println!(
            "| {} | {} |{cells} {} | {} |",
            row.title,
            count(views),
            told(&published),
            remark(row, &published, views)
        );
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// Lets a strategy count the views of a program.
fn ask(ours: &Ours, row: &Row, strategy: Strategy, options: &Options) -> Result<Answer, String> {
    let mut command = ours.command(&row.case)?;
    command.args(["--format", "json", "--no-schedule", "--count-views", "--jobs", "1"]);
    command.args(["--model", &options.model, "--strategy", strategy.name()]);
    let mut time = Duration::from_secs(options.seconds);
    if !options.processor {
        // It stops by itself, and says how far it has come.
        command.args(["--max-time", &options.seconds.to_string()]);
        time += Duration::from_secs(5);
    }
    let limits = Limits { time, processor: options.processor, memory: options.memory << 20 };
    let measured = limits::run(&mut command, ours.folder(), limits)?;
    let report: serde_json::Value = serde_json::from_str(&measured.stdout).unwrap_or_default();
    let executions = report["executions"].as_u64();
    let seconds = measured.cpu.as_secs_f64();
    let (views, cell) = match (measured.end, report["verdict"].as_str()) {
        (End::OutOfTime, _) => (None, format!("over {} s", options.seconds)),
        (End::OutOfMemory, _) => (None, format!("over {} MiB", options.memory)),
        (_, Some("verified")) => {
            (report["classes"].as_u64(), format!("{} ({seconds:.2} s)", count(executions)))
        }
        (_, Some("unknown")) if is_stopped(&report) => {
            (None, format!("over {} s: {}", options.seconds, count(executions)))
        }
        (_, Some(verdict)) => (None, verdict.to_owned()),
        (_, None) => return Err(format!("{command:?} failed:\n{}", measured.stderr)),
    };
    Ok(Answer { views, cell })
}

/// Whether the search was stopped, and not by what it came to.
fn is_stopped(report: &serde_json::Value) -> bool {
    let reasons = report["unknown"].as_array().map(Vec::as_slice).unwrap_or_default();
    reasons.iter().any(|reason| reason["what"].as_str().is_some_and(|what| what.contains("limit of time")))
}

/// The number of views that all complete searches have counted, or that is known from elsewhere.
fn agreed(row: &Row, model: &str, answers: &[Answer]) -> Result<Option<u64>, String> {
    let known = (model == "sc").then_some(row.views).flatten();
    let mut counted = known.into_iter().chain(answers.iter().filter_map(|answer| answer.views));
    let first = counted.next();
    match counted.find(|views| Some(*views) != first) {
        None => Ok(first),
        Some(other) => {
            Err(format!("{}: {} views or {other}: a bug of Selvedge", row.title, first.unwrap_or(0)))
        }
    }
}

fn told(published: &[&Published]) -> String {
    let one = |one: &&Published| format!("{} {}", one.by, count(Some(one.executions)));
    published.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Says where a published search has missed something.
fn remark(row: &Row, published: &[&Published], views: Option<u64>) -> String {
    let mut remarks: Vec<String> = Vec::new();
    match (row.likeness, views) {
        (Likeness::Core, _) => remarks.push("core of the program: no figures to compare".to_owned()),
        (Likeness::Same | Likeness::Bound, Some(views)) => {
            let below: Vec<&str> =
                published.iter().filter(|one| one.executions < views).map(|one| one.by).collect();
            if !below.is_empty() {
                remarks.push(format!("{} below the number of views", below.join(", ")));
            }
        }
        (Likeness::Same | Likeness::Bound, None) => {}
    }
    if row.likeness == Likeness::Bound {
        remarks.push("the published bound is not known".to_owned());
    }
    remarks.join("; ")
}

#[cfg(test)]
mod tests {
    use super::{CASES, agreed, remark};
    use crate::strategies::Answer;

    fn answer(views: u64) -> Answer {
        Answer { views: Some(views), cell: String::new() }
    }

    #[test]
    fn searches_that_missed_something_are_named() {
        let row = CASES.iter().find(|row| row.title == "Counter(5)").expect("it is there");
        let published: Vec<_> = row.published("sc").collect();
        assert_eq!(remark(row, &published, Some(8_747)), "MCR, MCR-S, MCR-S+ below the number of views");
        assert_eq!(remark(row, &published, None), "");
    }

    #[test]
    fn different_counts_are_a_mistake() {
        let row = CASES.iter().find(|row| row.title == "Counter(5)").expect("it is there");
        assert_eq!(agreed(row, "sc", &[answer(8_747)]), Ok(Some(8_747)));
        assert!(agreed(row, "sc", &[answer(8_746)]).is_err());
        assert_eq!(agreed(row, "tso", &[answer(9_000), answer(9_000)]), Ok(Some(9_000)));
        assert!(agreed(row, "tso", &[answer(9_000), answer(9_001)]).is_err());
    }
}
