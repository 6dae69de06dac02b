//! Libraries as they were published with one memory order made weaker at a time: is it noticed?
//!
//! The programs are those of the corpus that are verified under `rc11` and written in Rust, packages and single files,
//! optimised so that each use of an atomic has operations of its own. Nothing is compiled again for a mutant: the order
//! of what was compiled is changed. Only orders are changed that some random executions of the program come to.

use selvedge::check::{Settings, check};
use selvedge::drivers::{CargoTarget, Request};
use selvedge::run::prepare::{Prepared, prepare};
use selvedge_explore::{Options as Search, Progress};
use selvedge_machine::{Config, Machine, Pick};
use selvedge_program::{FileKind, Program, SourceOrder};
use selvedge_report::Answer;
use selvedge_trace::{Event, EventKind, Inputs, Model};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// What to measure.
#[derive(clap::Args)]
pub struct Options {
    /// Only programs whose name begins like this
    #[arg(long, value_name = "NAME")]
    only: Option<String>,

    /// Only orders in files with this in their path
    #[arg(long, value_name = "PATH")]
    file: Option<String>,

    /// Stop a mutant after so many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    seconds: u64,

    /// Random executions that say which orders the program comes to
    #[arg(long, value_name = "NUMBER", default_value_t = 200)]
    executions: u64,

    /// Say of each mutant what came of it
    #[arg(long)]
    each: bool,

    /// The Selvedge program, which compilers call back
    #[arg(long, value_name = "PATH", default_value = "target/release/selvedge")]
    selvedge: PathBuf,
}

/// What came of the mutants of a file.
#[derive(Default)]
struct Row {
    caught: u32,
    verified: u32,
    unknown: u32,
}

/// Prints the table.
pub fn run(options: &Options) -> Result<(), String> {
    let program = options
        .selvedge
        .canonicalize()
        .map_err(|error| format!("{}: {error}. Build it first", options.selvedge.display()))?;
    println!("| program | file | mutants | caught | verified | unknown |");
    println!("|---|---|---|---|---|---|");
    let mut remarks = Vec::new();
    for (input, binary) in programs()? {
        let stem = input.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let name = binary.clone().unwrap_or(stem);
        if options.only.as_ref().is_some_and(|only| !name.starts_with(only.as_str())) {
            continue;
        }
        let request = Request {
            inputs: vec![input],
            cargo: CargoTarget::Binary(binary),
            opt_level: Some("2".to_owned()),
            program: Some(program.clone()),
            ..Request::default()
        };
        let prepared = prepare(&request).map_err(|error| format!("{name}: {error}"))?;
        for (file, row) in mutants(&prepared, options, &name, &mut remarks) {
            let Row { caught, verified, unknown } = row;
            let all = caught + verified + unknown;
            println!("| {name} | {file} | {all} | {caught} | {verified} | {unknown} |");
        }
    }
    for remark in remarks {
        println!("\n{remark}");
    }
    Ok(())
}

/// The programs of the corpus that are verified under `rc11`, and which binary of a package.
fn programs() -> Result<Vec<(PathBuf, Option<String>)>, String> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus");
    let entries = |folder: &Path| {
        let read = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok::<_, String>(read.flatten().map(|entry| entry.path()).collect::<Vec<_>>())
    };
    let ends = |path: &Path, end: &str| path.extension().is_some_and(|extension| extension == end);
    let mut found = Vec::new();
    for package in entries(&corpus.join("packages"))?.iter().filter(|path| path.is_dir()) {
        for file in entries(package)?.iter().filter(|file| ends(file, "txt")) {
            if let Some(command) = verified_by(file) {
                let words: Vec<&str> = command.split_whitespace().collect();
                let binary = words.iter().position(|word| *word == "--bin").and_then(|at| words.get(at + 1));
                found.push((package.clone(), binary.map(|name| (*name).to_owned())));
            }
        }
    }
    let files = entries(&corpus.join("check/rc11/std"))?;
    let verified = files.into_iter().filter(|file| ends(file, "rs") && verified_by(file).is_some());
    found.extend(verified.map(|file| (file, None)));
    found.sort();
    Ok(found)
}

/// The command by which a program is verified under `rc11`, if it is.
fn verified_by(file: &Path) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    let command = text.lines().find(|line| line.contains("check") && line.contains("--model rc11"))?;
    text.lines().any(|line| line.contains("expect: verified")).then(|| command.to_owned())
}

/// What comes of a program's mutants, by file.
fn mutants(
    prepared: &Prepared,
    options: &Options,
    name: &str,
    remarks: &mut Vec<String>,
) -> BTreeMap<String, Row> {
    let program = &prepared.program;
    let reached = reached(prepared, options.executions);
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    for source in program.source_orders() {
        let file = file_of(program, &source);
        let wanted =
            options.file.as_ref().is_none_or(|part| path_of(program, &source).contains(part.as_str()));
        let at = &program.positions[source.position as usize];
        // What the machine brings along is not under test.
        let own = program.files[at.file as usize].kind == FileKind::Library
            && path_of(program, &source).ends_with(".c");
        if !wanted || own || !reached.contains(&(at.file, at.line)) {
            continue;
        }
        for &order in &source.weaker {
            let mutant = Prepared {
                program: Arc::new(program.with_order(&source, order)),
                name: prepared.name.clone(),
                language: prepared.language,
                source_root: prepared.source_root.clone(),
            };
            let verdict = verdict(&mutant, options.seconds);
            let row = rows.entry(file.clone()).or_default();
            match verdict {
                Some(true) => row.caught += 1,
                Some(false) => row.verified += 1,
                None => row.unknown += 1,
            }
            if options.each || verdict.is_none() {
                let said = verdict.map_or("not known", |caught| if caught { "caught" } else { "verified" });
                let fails = if source.failure { " on failure" } else { "" };
                let (line, was) = (at.line, source.order);
                remarks.push(format!("{name}, {file}:{line}: {was:?}{fails} as {order:?}: {said}"));
            }
        }
    }
    rows
}

fn path_of<'a>(program: &'a Program, source: &SourceOrder) -> &'a str {
    let position = &program.positions[source.position as usize];
    &program.files[position.file as usize].path
}

/// The end of a file's path.
fn file_of(program: &Program, source: &SourceOrder) -> String {
    let path = path_of(program, source);
    let parts: Vec<&str> = path.rsplit('/').filter(|part| *part != "src").take(2).collect();
    parts.into_iter().rev().collect::<Vec<_>>().join("/")
}

/// Where some random executions come to an atomic operation.
fn reached(prepared: &Prepared, executions: u64) -> BTreeSet<(u32, u32)> {
    let config =
        Config { model: Model::Rc11, program_name: prepared.name.clone(), trace: true, ..Config::default() };
    let mut found = BTreeSet::new();
    for seed in 0..executions {
        let mut machine = Machine::new(prepared.program.clone(), config.clone());
        let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut picks: Vec<Pick> = Vec::new();
        for _ in 0..20_000 {
            machine.picks(&mut picks);
            if picks.is_empty() {
                break;
            }
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            machine.step(picks[(random >> 11) as usize % picks.len()]);
        }
        // Before there are threads, and when they are gone, orders do not matter.
        let kinds = |kind| move |event: &Event| event.operation.kind == kind;
        let first = machine.inspect().trace().iter().position(kinds(EventKind::ThreadCreate));
        let last = machine.inspect().trace().iter().rposition(kinds(EventKind::ThreadJoin));
        let (Some(first), Some(last)) = (first, last) else { continue };
        for event in machine.inspect().trace().get(first..last).unwrap_or_default() {
            let outside = prepared.program.outside_of_file(event.position);
            let position = &prepared.program.positions[outside as usize];
            found.insert((position.file, position.line));
        }
    }
    found
}

/// Whether a violation is found; nothing if that is not known.
fn verdict(prepared: &Prepared, seconds: u64) -> Option<bool> {
    let settings = Settings {
        model: Model::Rc11,
        inputs: Inputs::default(),
        options: Search { max_time: Some(Duration::from_secs(seconds)), ..Search::default() },
        cross_check: None,
        second_opinion: false,
        explain_model: false,
        symbolic: None,
    };
    let checked = check(prepared, &settings, &Progress::default());
    match checked.result.verdict {
        Answer::Verified => Some(false),
        Answer::Violation => Some(true),
        Answer::Unknown => None,
    }
}
