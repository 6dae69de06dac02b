//! `selvedge check` on the programs of `bench/programs`: what it costs to cover every schedule, and which of them do
//! not get done within the limits. Checkers of others run on the same sources where they are installed.

pub mod limits;
pub mod list;
pub mod ours;
pub mod peers;

use limits::{End, Limits, Measured};
use list::Case;
use std::path::PathBuf;
use std::time::Duration;

/// What to measure.
#[derive(clap::Args)]
pub struct Options {
    /// Only programs whose name begins like this
    #[arg(long, value_name = "NAME")]
    only: Option<String>,

    /// The memory model, as for selvedge check
    #[arg(long, default_value = "sc")]
    model: String,

    /// The strategy, as for selvedge check
    #[arg(long, default_value = "auto")]
    strategy: String,

    /// Threads that search; all cores without it
    #[arg(long, value_name = "NUMBER")]
    jobs: Option<usize>,

    /// Stop a program after so many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    seconds: u64,

    /// Let these seconds be the processor's, not the clock's: on a machine that has other things to do
    #[arg(long)]
    processor: bool,

    /// Stop a program that takes so many MiB
    #[arg(long, value_name = "MIB", default_value_t = 2048)]
    memory: u64,

    /// This program instead of a fresh build
    #[arg(long, value_name = "PATH")]
    selvedge: Option<PathBuf>,

    /// Only the programs and sizes of the comparison with others
    #[arg(long)]
    compare: bool,

    #[command(flatten)]
    peers: peers::Options,
}

impl Options {
    fn wants(&self, case: &Case) -> bool {
        self.only.as_ref().is_none_or(|name| case.name.starts_with(name.as_str()))
    }

    fn limits(&self) -> Limits {
        Limits {
            time: Duration::from_secs(self.seconds),
            processor: self.processor,
            memory: self.memory << 20,
        }
    }
}

/// Prints the tables.
pub fn run(options: &Options) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let ours = ours::Ours::prepare(options.selvedge.as_deref(), folder.path())?;
    if !options.compare {
        everything(options, &ours)?;
    }
    comparison(options, list::COMPARED, &ours, &peers::find(&options.peers, folder.path()))
}

/// Prints the table of the programs whose orders matter, under the language's model.
pub fn run_language(mut options: Options) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let ours = ours::Ours::prepare(options.selvedge.as_deref(), folder.path())?;
    options.model = "rc11".to_owned();
    let mut peers = peers::find(&options.peers, folder.path());
    peers.retain(|peer| peer.name == "GenMC");
    comparison(&options, list::LANGUAGE, &ours, &peers)
}

/// What must be covered completely within the limits.
fn everything(options: &Options, ours: &ours::Ours) -> Result<(), String> {
    println!("| program | size | verdict | states | executions | wall s | CPU s | peak MiB |");
    println!("|---|---|---|---|---|---|---|---|");
    let (mut done, mut missed) = (0, Vec::new());
    for case in list::REQUIRED.iter().filter(|case| options.wants(case)) {
        let result = ours.check(case, options)?;
        match result.verdict.as_str() {
            "verified" => done += 1,
            other => missed.push(format!("{} ({other})", case.title())),
        }
        println!(
            "| {} | {} | {} | {} | {} | {} |",
            case.name,
            case.size,
            result.verdict,
            count(result.states),
            count(result.executions),
            cost(&result.measured)
        );
    }
    println!("\nverified within the limits: {done} of {}", done + missed.len());
    if !missed.is_empty() {
        println!("not: {}", missed.join(", "));
    }
    Ok(())
}

/// The sizes that others can do. CPU seconds from bitcode; the better of the others is the one that took less.
fn comparison(
    options: &Options,
    cases: &[Case],
    ours: &ours::Ours,
    peers: &[peers::Peer],
) -> Result<(), String> {
    let names: String = peers.iter().map(|peer| format!(" {} CPU s (executions) |", peer.name)).collect();
    println!(
        "\n| program | size | verdict | states | executions | CPU s | peak MiB |{names} ahead of the better one |"
    );
    println!("|---|---|---|---|---|---|---|{}---|", "---|".repeat(peers.len()));
    let mut ratios: Vec<f64> = Vec::new();
    for case in cases.iter().filter(|case| options.wants(case)) {
        let result = best(|| ours.check(case, options), |result| result.measured.cpu)?;
        let mut columns = String::new();
        let mut others: Option<Duration> = None;
        for peer in peers {
            let column = match best(
                || peer.check(case, &options.model, options.limits()),
                |answer| answer.measured.cpu,
            ) {
                Ok(answer) => {
                    if answer.measured.end == End::Exited(0) {
                        others =
                            Some(others.map_or(answer.measured.cpu, |best| best.min(answer.measured.cpu)));
                    }
                    answer.text()
                }
                Err(reason) => reason,
            };
            columns.push_str(&format!(" {column} |"));
        }
        let ahead = match others {
            Some(other) if result.verdict == "verified" => {
                ratios.push(other.as_secs_f64() / result.measured.cpu.as_secs_f64());
                ratio(other, result.measured.cpu)
            }
            _ => String::new(),
        };
        println!(
            "| {} | {} | {} | {} | {} | {:.3} | {} |{columns} {ahead} |",
            case.name,
            case.size,
            result.verdict,
            count(result.states),
            count(result.executions),
            result.measured.cpu.as_secs_f64(),
            result.measured.peak >> 20,
        );
    }
    if !ratios.is_empty() {
        let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
        println!("\ngeometric mean of {} ratios: {mean:.2}", ratios.len());
    }
    Ok(())
}

/// The cheapest of three, or the first if it takes long.
fn best<T>(
    mut measure: impl FnMut() -> Result<T, String>,
    cost: impl Fn(&T) -> Duration,
) -> Result<T, String> {
    let mut best = measure()?;
    for _ in 1..3 {
        if cost(&best) > Duration::from_secs(2) {
            break;
        }
        let next = measure()?;
        if cost(&next) < cost(&best) {
            best = next;
        }
    }
    Ok(best)
}

fn ratio(other: Duration, ours: Duration) -> String {
    let difference = other.as_secs_f64() - ours.as_secs_f64();
    format!("{:.1} x ({difference:+.2} s)", other.as_secs_f64() / ours.as_secs_f64())
}

fn cost(measured: &Measured) -> String {
    format!(
        "{:.2} | {:.2} | {}",
        measured.wall.as_secs_f64(),
        measured.cpu.as_secs_f64(),
        measured.peak >> 20
    )
}

/// A number with commas, or a dash.
pub fn count(number: Option<u64>) -> String {
    let digits = number.map_or_else(|| "-".to_owned(), |number| number.to_string());
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn counts_are_readable() {
        let texts = [None, Some(7), Some(999), Some(1_000), Some(12_345_678)].map(super::count);
        assert_eq!(texts, ["-", "7", "999", "1,000", "12,345,678"]);
    }
}
