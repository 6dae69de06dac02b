//! Tasks in the manner of the verification competition: answered by `selvedge check --svcomp` within a limit of processor time,
//! and scored as there: 1 for a violation, 2 for a proof, -16 for a wrong alarm and -32 for a wrong proof.

mod list;

use list::{Task, tasks};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// What to measure.
#[derive(clap::Args)]
pub struct Options {
    /// Only tasks whose family and parameters contain this
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,

    /// Stop a search after so many seconds of processor time
    #[arg(long, value_name = "SECONDS", default_value_t = 15)]
    seconds: u64,

    /// Show every task, not only what is wrong or open
    #[arg(long)]
    all: bool,
}

/// What became of a task.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Came {
    Right,
    Wrong,
    Unknown,
}

/// The figures of a family, or of all.
#[derive(Default)]
struct Row {
    tasks: u32,
    right: u32,
    wrong: u32,
    unknown: u32,
    score: i64,
    most: i64,
    time: Duration,
}

impl Row {
    fn add(&mut self, task: &Task, came: Came, time: Duration) {
        let worth = if task.holds { 2 } else { 1 };
        self.tasks += 1;
        self.most += worth;
        self.time += time;
        match came {
            Came::Right => (self.right, self.score) = (self.right + 1, self.score + worth),
            Came::Wrong => {
                self.wrong += 1;
                self.score -= if task.holds { 16 } else { 32 };
            }
            Came::Unknown => self.unknown += 1,
        }
    }

    fn print(&self, name: &str, like: &str) {
        println!(
            "| {name} | {like} | {} | {} | {} | {} | {} of {} | {:.1} s |",
            self.tasks,
            self.right,
            self.wrong,
            self.unknown,
            self.score,
            self.most,
            self.time.as_secs_f64()
        );
    }
}

/// Prints the table.
pub fn run(options: &Options) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let program = program()?;
    let mut rows: Vec<(&str, &str, Row)> = Vec::new();
    let mut all = Row::default();
    let mut wrong = Vec::new();
    for task in tasks() {
        let name = format!("{} {}", task.family, task.flags);
        if options.only.as_ref().is_some_and(|only| !name.contains(only.as_str())) {
            continue;
        }
        let begun = Instant::now();
        let answer = answer(&program, &task, folder.path(), options.seconds)?;
        let time = begun.elapsed();
        let came = judge(&task, &answer);
        if came == Came::Wrong {
            wrong.push(format!("{name}: {answer}"));
        }
        if options.all || came != Came::Right {
            eprintln!("{name}: {answer} ({:.1} s)", time.as_secs_f64());
        }
        let known = rows.iter().position(|(family, like, _)| (*family, *like) == (task.family, task.like));
        let at = known.unwrap_or_else(|| {
            rows.push((task.family, task.like, Row::default()));
            rows.len() - 1
        });
        rows[at].2.add(&task, came, time);
        all.add(&task, came, time);
    }
    println!("| family | like | tasks | right | wrong | unknown | score | time |");
    println!("|---|---|---|---|---|---|---|---|");
    rows.iter().for_each(|(family, like, row)| row.print(family, like));
    all.print("all", "");
    if wrong.is_empty() { Ok(()) } else { Err(format!("wrong answers:\n{}", wrong.join("\n"))) }
}

/// The command line that was built with this one.
fn program() -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let program = own.with_file_name("selvedge");
    match program.exists() {
        true => Ok(program),
        false => {
            Err(format!("`{}` is not there. Build it: cargo build --release -p selvedge", program.display()))
        }
    }
}

/// The last line that the command line says; `unknown` if it did not come to one.
fn answer(program: &Path, task: &Task, folder: &Path, seconds: u64) -> Result<String, String> {
    let formulas = task.formulas.iter().map(|formula| format!("CHECK( init(main()), LTL({formula}) )\n"));
    let property = folder.join("property.prp");
    std::fs::write(&property, formulas.collect::<String>()).map_err(|error| error.to_string())?;
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("svcomp").join(format!("{}.c", task.family));
    let output = Command::new("sh")
        .args(["-c", &format!("ulimit -t {seconds}; exec \"$0\" \"$@\"")])
        .arg(program)
        .arg("check")
        .arg(source)
        .args(["--no-schedule", "--max-time", &format!("{}", 4 * seconds), "--cflags", &task.flags])
        .arg("--svcomp")
        .arg(&property)
        .arg("--witness")
        .arg(folder.join("witness.yml"))
        .output()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text.lines().last().unwrap_or("unknown");
    let known = last == "true" || last == "unknown" || last.starts_with("false(");
    Ok(if known { last.to_owned() } else { "unknown".to_owned() })
}

/// Where memory can go wrong in several ways, which of them is shown does not matter.
fn judge(task: &Task, answer: &str) -> Came {
    match answer {
        "unknown" => Came::Unknown,
        "true" if task.holds => Came::Right,
        _ if answer.starts_with("false(") && !task.holds => Came::Right,
        _ => Came::Wrong,
    }
}
