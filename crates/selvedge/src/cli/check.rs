//! `selvedge check`.

use super::code;
use super::program::ProgramArguments;
use super::promise::{self, Promise};
use super::report;
use super::search::SearchArguments;
use super::terminal::{self, complain, print, say};
use super::values::{
    SolverArgument, format, from_one, jobs, model, number, solver_help, strategy, symbolic_arguments,
    symbolic_file,
};
use crate::check::checkpoint::CheckpointFile;
use crate::check::{self, BestSoFar, Checked, Settings};
use crate::drivers::Request;
use crate::run::prepare::{Prepared, prepare};
use crate::svcomp::{self, Specification};
use clap::Args;
use selvedge_explore::{Answers, Keeper, Options, Progress, Strategy};
use selvedge_machine::Symbolic;
use selvedge_order::StartSolver;
use selvedge_report::text::{self, Detail};
use selvedge_report::{Answer, Check, FORMATS, Format, Manner, html, perfetto};
use selvedge_trace::{Model, Schedule, ScheduleFileError, write_schedule};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Look at all executions of a program: does any schedule break it?
///
/// Compiles the program to bitcode and explores every schedule of its threads. The answer is `verified` (all were
/// covered, and none goes wrong), `violation` (with a schedule that shows it), or `unknown` (why, and what to do).
#[derive(Args)]
#[command(after_help = EXIT_CODES, after_long_help = EXAMPLES)]
pub struct CheckArguments {
    #[command(flatten)]
    program: ProgramArguments,

    /// The memory model: sequential consistency (sc), store buffers as on x86 (tso) or weaker (pso), the
    /// language's own (rc11), or what of that multi-copy-atomic machines can show (mca). Without it rc11; sc where a
    /// strategy is named other than auto, for inputs, with --count-views, --preemptions and --no-races
    #[arg(long, value_parser = model(), help_heading = "Search")]
    model: Option<Model>,

    #[arg(long, help = strategy_help(), value_name = "NAME", value_parser = strategy, help_heading = "Search")]
    strategy: Option<Strategy>,

    /// Search once more with this strategy: an answer that contradicts the first is a bug of Selvedge
    #[arg(long, value_name = "STRATEGY", value_parser = strategy, help_heading = "Search")]
    cross_check: Option<Strategy>,

    /// Do not search once more in an independent way when the program is verified, which takes at most as long again (or a
    /// tenth of a second)
    #[arg(long, help_heading = "Search")]
    no_second_opinion: bool,

    /// Collect all violations instead of stopping at the first
    #[arg(long, help_heading = "Search")]
    keep_going: bool,

    /// For mpc: look at every combination of paths that the threads can take, and count them, instead of every decision
    #[arg(long, help_heading = "Search")]
    count_paths: bool,

    /// Let N arguments of the program be any text of at most LENGTH characters (ASCII): --symbolic-args 2x8
    #[arg(long, value_name = "NxLENGTH", value_parser = symbolic_arguments, conflicts_with = "arguments", help_heading = "Inputs")]
    symbolic_args: Option<(usize, usize)>,

    /// Let standard input be any LENGTH bytes
    #[arg(long, value_name = "LENGTH", help_heading = "Inputs")]
    symbolic_stdin: Option<u32>,

    /// Let the program find a file NAME of any LENGTH bytes: --symbolic-file settings.txt:32
    #[arg(long, value_name = "NAME:LENGTH", value_parser = symbolic_file, help_heading = "Inputs")]
    symbolic_file: Vec<(String, usize)>,

    /// Count the views: sets of executions in which every thread reads the same values
    #[arg(long, help_heading = "Search")]
    count_views: bool,

    /// Tell states apart by all that they consist of instead of by hashes of 128 bits: slower, and takes more memory
    #[arg(long, conflicts_with = "count_views", help_heading = "Search")]
    exact: bool,

    /// Search with so many threads; all cores without it
    #[arg(long, value_name = "NUMBER", value_parser = jobs, help_heading = "Search")]
    jobs: Option<usize>,

    /// For random and pct: the same seed gives the same executions
    #[arg(long, value_name = "NUMBER", value_parser = number::<u64>, help_heading = "Search")]
    seed: Option<u64>,

    /// For random and pct: look at so many executions; 1000 without it
    #[arg(long, value_name = "NUMBER", value_parser = number::<u64>, help_heading = "Search")]
    runs: Option<u64>,

    /// For pct: look for what goes wrong when so many things happen in a certain order; 3 without it
    #[arg(long, value_name = "NUMBER", value_parser = from_one, help_heading = "Search")]
    depth: Option<u32>,

    #[arg(long, help = solver_help(), value_enum, value_name = "NAME", help_heading = "Search")]
    solver: Option<SolverArgument>,

    #[command(flatten)]
    search: SearchArguments,

    /// Interrupt threads that could go on at most so many times
    #[arg(long, value_name = "NUMBER", value_parser = number::<u32>, help_heading = "Limits")]
    preemptions: Option<u32>,

    /// Keep how far the search has come in this file, and go on with it if it is there
    #[arg(long, value_name = "FILE", help_heading = "Search")]
    checkpoint: Option<PathBuf>,

    /// The form of the report on standard output
    #[arg(long, value_parser = format(), default_value = FORMATS[0].name, help_heading = "Report")]
    format: &'static Format,

    /// One line about the result, and nothing about how far the search is
    #[arg(long, short, help_heading = "Report")]
    quiet: bool,

    /// Write a page for the browser into this file: the verdict, the schedule in lanes beside the source, the values at each
    /// step, and what was looked at. It needs no network
    #[arg(long, value_name = "FILE", help_heading = "Report")]
    report: Option<PathBuf>,

    /// Write the executions of violations into this file, for viewers of traces (Perfetto, Chrome's)
    #[arg(long, value_name = "FILE", help_heading = "Report")]
    perfetto: Option<PathBuf>,

    /// Say how much work questions about the order of events were, with strategies that ask a solver
    #[arg(long, help_heading = "Report")]
    stats: bool,

    /// Under rc11 and mca: search to the end for violations under the models that are stronger, to say on which machines
    /// they exist; without it that is said where a short search finds out
    #[arg(long, help_heading = "Report")]
    explain_model: bool,

    /// Show the whole execution of a violation, not only what is needed to understand it
    #[arg(long, help_heading = "Report")]
    trace: bool,

    /// Write the schedule of a violation into this file, further ones next to it with -2, -3 and so on in their
    /// names; PROGRAM.schedule.json without it
    #[arg(long, value_name = "FILE", help_heading = "Report")]
    save_schedule: Option<PathBuf>,

    /// Write a test of the first violation into this file: a script that replays it if the name ends in .sh, else a program
    /// with its inputs, in C, or Rust if the name ends in .rs
    #[arg(long, value_name = "FILE", help_heading = "Report")]
    emit_test: Option<PathBuf>,

    /// Answer as in the verification competition: read the property from FILE (.prp), look for that alone under sequential
    /// consistency, and say true, false(...) or unknown on the last line
    #[arg(long, value_name = "FILE", conflicts_with_all = ["no_races", "format", "cross_check"], help_heading = "Verification competition")]
    svcomp: Option<PathBuf>,

    /// With --svcomp: write the witness of a violation into this file; witness.yml without it
    #[arg(long, value_name = "FILE", requires = "svcomp", help_heading = "Verification competition")]
    witness: Option<PathBuf>,

    /// Write no schedule files
    #[arg(long, conflicts_with = "save_schedule", help_heading = "Report")]
    no_schedule: bool,
}

const EXIT_CODES: &str = "Exit codes: 0 verified; 1 violation; 2 wrong usage or input; 3 unknown.";

const EXAMPLES: &str = "\
The program's own output is not shown. Standard input: all of it is read before the search starts, unless it is a
terminal; then the program finds it empty.

Examples:
  selvedge check bank.c                        every schedule, the language's memory model
  selvedge check bank.c --model tso            with the store buffers of x86
  selvedge check bank.c --keep-going           all violations, not only the first
  selvedge check queue.cpp --max-time 60 --max-memory 2G
                                               within limits
  selvedge check . --test phases -- --exact one --test-threads 1
                                               one test of a Cargo package
  selvedge check bank.c --report bank.html     with a page for the browser
  selvedge check bank.c --format sarif         for code scanning; json, junit

Exit codes:
  0   verified: all executions were covered, and none goes wrong
  1   violation: a schedule file and a report say how
  2   wrong usage or input
  3   unknown: a limit was reached, or the program does something unsupported
  70  a bug of Selvedge";

/// All strategies in a few words each, from their table.
fn strategy_help() -> String {
    let rows = Strategy::ALL.iter().map(|strategy| strategy.row());
    let all: Vec<String> = rows.map(|row| format!("{} ({})", row.name, row.help)).collect();
    format!(
        "How to search: {}. Without it auto, or mpc with --count-paths and --symbolic-...",
        all.join("; ")
    )
}

impl CheckArguments {
    /// The program and what it sees.
    pub fn program(&self) -> &ProgramArguments {
        &self.program
    }

    /// Whether something that every program can see is symbolic.
    fn is_symbolic(&self) -> bool {
        self.symbolic_args.is_some() || self.symbolic_stdin.is_some() || !self.symbolic_file.is_empty()
    }

    /// The strategy for a program: the one that was asked for, or what fits.
    pub fn strategy(&self, prepared: &Prepared) -> Strategy {
        let asks = selvedge_machine::asks_for_inputs(&prepared.program).is_some();
        let known = |model: Model| Strategy::Mpc.row().models.contains(&model);
        // Where the stateful search cannot choose values.
        let only_paths =
            self.is_symbolic() || self.count_paths || (asks && (self.exact || self.checkpoint.is_some()));
        let by_paths = only_paths && self.model.is_none_or(known);
        self.strategy.unwrap_or(if by_paths { Strategy::Mpc } else { Strategy::Auto })
    }

    /// The memory model: the one that was asked for, or the language's, as far as the rest of what was asked for has a
    /// meaning there. It gives none to programs with data races.
    fn model(&self, strategy: Strategy, asks: bool) -> Model {
        let others = [Some(strategy), self.cross_check].into_iter().flatten();
        let weak = others.into_iter().all(|strategy| strategy == Strategy::Auto)
            && self.preemptions.is_none()
            && !asks
            && !self.count_views
            && !self.search.no_races;
        self.model.unwrap_or(if weak { Model::Rc11 } else { Model::Sc })
    }

    /// What the search is told; `stdin` is the program's standard input.
    pub fn settings(&self, stdin: Vec<u8>, strategy: Strategy, asks: bool) -> Settings {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let without = self.search.options();
        let mut inputs = self.program.inputs(stdin);
        if let Some((count, length)) = self.symbolic_args {
            inputs.arguments = vec!["\0".repeat(length); count];
        }
        if let Some(length) = self.symbolic_stdin {
            inputs.stdin = vec![0; length as usize];
        }
        let files = self.symbolic_file.iter();
        inputs.files.extend(files.map(|(name, length)| (name.clone(), vec![0; *length])));
        Settings {
            model: self.model(strategy, asks),
            inputs,
            symbolic: self.is_symbolic().then(|| Symbolic {
                arguments: self.symbolic_args.is_some(),
                stdin: self.symbolic_stdin.is_some(),
                files: !self.symbolic_file.is_empty(),
                ..Symbolic::default()
            }),
            options: Options {
                strategy,
                count_paths: self.count_paths,
                exact: self.exact,
                keep_going: self.keep_going,
                count_views: self.count_views,
                spurious: self.search.spurious
                    || (without.spurious && !self.count_views && !self.count_paths),
                jobs: self.jobs.unwrap_or_else(cores),
                preemptions: self.preemptions,
                seed: self.seed.unwrap_or(without.seed),
                runs: self.runs.unwrap_or(without.runs),
                depth: self.depth.unwrap_or(without.depth),
                ..without
            },
            cross_check: self.cross_check,
            second_opinion: !self.no_second_opinion,
            explain_model: self.explain_model,
        }
    }
}

/// What does not go together with a strategy; otherwise the solver that answers its questions.
fn fits(
    arguments: &CheckArguments,
    strategy: Strategy,
    asks: bool,
) -> Result<Option<Arc<dyn StartSolver>>, String> {
    if arguments.cross_check == Some(strategy) {
        return Err(format!(
            "--cross-check compares with another strategy than the first, and both are `{}`. Name another one",
            strategy.name()
        ));
    }
    let random = [("--seed", arguments.seed.is_some()), ("--runs", arguments.runs.is_some())];
    let random = random.into_iter().chain([("--depth", arguments.depth.is_some())]);
    if let Some((option, _)) = random.into_iter().find(|(_, given)| *given)
        && !strategy.is_random()
    {
        return Err(format!(
            "{option} is for strategies that choose at random, and `{}` does not. Add --strategy with one of \
             {}",
            strategy.name(),
            Strategy::names_that(|row| row.answers == Answers::Samples)
        ));
    }
    let abilities = strategy.row().abilities;
    if arguments.preemptions.is_some() && !abilities.preemptions {
        return Err(format!(
            "--preemptions does not go with strategy `{}`. Take --strategy icb, or leave the bound out",
            strategy.name()
        ));
    }
    if (arguments.count_paths || arguments.is_symbolic()) && !strategy.is_by_paths() {
        return Err(format!(
            "--count-paths and --symbolic-... do not go with strategy `{}`. Take --strategy mpc, or leave them out",
            strategy.name()
        ));
    }
    let model = arguments.model(strategy, asks);
    if arguments.search.no_races && model.is_graph() {
        return Err(format!(
            "--no-races has no meaning under {}: the language gives none to programs with data races. Add --model sc, \
             tso or pso, or leave it out",
            model.name()
        ));
    }
    SolverArgument::solver(arguments.solver, &[strategy])
}

/// Runs the command; the exit code.
pub fn check(arguments: &mut CheckArguments) -> u8 {
    let specification = match arguments.svcomp.as_deref().map(svcomp::read).transpose() {
        Ok(specification) => specification,
        Err(error) => return complain(&error),
    };
    if specification.as_ref().is_some_and(Specification::is_about_overflow) {
        arguments.program.check_overflow();
    }
    let arguments = &*arguments;
    let likely = arguments.strategy.unwrap_or(if arguments.count_paths || arguments.is_symbolic() {
        Strategy::Mpc
    } else {
        Strategy::Auto
    });
    if let Err(error) = fits(arguments, likely, true) {
        return complain(&error);
    }
    let interrupted = terminal::interruptions();
    let library_code = arguments.search.library_code();
    let prepared = match prepare(&Request { library_code, ..arguments.program.request() }) {
        Ok(_) | Err(_) if interrupted.load(Ordering::Relaxed) => {
            say("selvedge: interrupted while compiling\n");
            return code::INTERRUPTED;
        }
        Ok(prepared) => Arc::new(prepared),
        Err(error) => return complain(&error),
    };
    let strategy = arguments.strategy(&prepared);
    let asks = selvedge_machine::asks_for_inputs(&prepared.program).is_some();
    let solver = match fits(arguments, strategy, asks) {
        Ok(solver) => solver,
        Err(error) => return complain(&error),
    };
    let settings = match terminal::stdin() {
        Ok(stdin) => arguments.settings(stdin, strategy, asks),
        Err(error) => {
            return complain(&format!("standard input cannot be read: {error}. Redirect it from a file"));
        }
    };
    let mut settings = settings;
    settings.options.solver = solver;
    if let Some(specification) = &specification {
        specification.apply(&mut settings);
    }
    if arguments.program.is_test() && check::empty::runs_no_test(&prepared, &settings) {
        return complain(
            &"no test was run, so there is nothing to check. Look for a misspelt or ignored test in what follows `--`",
        );
    }
    let checkpoint = match &arguments.checkpoint {
        Some(path) => match CheckpointFile::open(path, &prepared, &settings) {
            Ok(file) => Some(Arc::new(file)),
            Err(error) => return complain(&error),
        },
        None => None,
    };
    settings.options.keep = checkpoint.clone().map(|file| Keeper::new(file));
    if arguments.program.verbose() {
        say("selvedge: compiled; the search begins\n");
    }
    let shown = arguments.format.for_people && !arguments.quiet && io::stderr().is_terminal();
    let (mut checked, is_overdue) = search(&prepared, settings, &interrupted, shown);
    let unwritten = save(arguments, &prepared, &mut checked).err();
    if let (Some(file), Some(schedule)) = (&arguments.emit_test, checked.schedules.first())
        && let words = arguments.program.words(arguments.search.ending.properties())
        && let Err(cause) =
            crate::check::emit::write(file, &arguments.program.request().inputs, &words, schedule)
    {
        complain(&format!("the test `{}` cannot be written: {cause}. Choose another place", file.display()));
    }
    let result = &checked.result;
    print(&report(arguments, &prepared, result));
    write_files(arguments, &prepared, result);
    if let Some(error) = unwritten {
        complain(&error);
    }
    if let Some(specification) = &specification {
        say_as_competition(arguments, specification, result);
    }
    if let Some(error) = checkpoint.and_then(|file| file.trouble()) {
        complain(&error);
    }
    let code = match result.verdict {
        Answer::Verified => 0,
        Answer::Violation => code::VIOLATION,
        Answer::Unknown => code::UNKNOWN,
    };
    if is_overdue {
        promise::leave(code);
    }
    code
}

/// The competition's answer, with the witness of a violation.
fn say_as_competition(arguments: &CheckArguments, specification: &Specification, result: &Check) {
    let default = PathBuf::from("witness.yml");
    let file = arguments.witness.as_ref().unwrap_or(&default);
    let answer = specification.answer(result);
    if let (true, Some(found)) = (answer.starts_with("false"), result.violations.first())
        && let Err(cause) = svcomp::write_witness(file, specification, arguments.program.sources(), found)
    {
        complain(&format!(
            "the witness `{}` cannot be written: {cause}. Choose another place",
            file.display()
        ));
    }
    print(&format!("{answer}\n"));
}

/// What goes to standard output.
fn report(arguments: &CheckArguments, prepared: &Prepared, result: &Check) -> String {
    if arguments.quiet && arguments.format.for_people {
        return text::line(result);
    }
    let detail = if arguments.trace { Detail::Whole } else { Detail::Brief };
    let about = report::about(prepared, Vec::new());
    let style = terminal::style_of(&io::stdout());
    (arguments.format.write)(result, Manner { about: &about, detail, style, stats: arguments.stats })
}

/// Writes the reports that were asked for as files, and tells people where they are.
fn write_files(arguments: &CheckArguments, prepared: &Prepared, result: &Check) {
    let page = || html::check(result, &report::about(prepared, html::files(result)));
    let trace = || perfetto::check(result, &prepared.name);
    let files: [(&str, _, &dyn Fn() -> String); 2] =
        [("report", &arguments.report, &page), ("trace", &arguments.perfetto, &trace)];
    for (what, file, make) in files {
        let Some(file) = file else { continue };
        match report::write(what, file, &make()) {
            Ok(()) if arguments.format.for_people && !arguments.quiet => {
                print(&format!("  {what}: {}\n", file.display()));
            }
            Ok(()) => {}
            Err(error) => {
                complain(&error);
            }
        }
    }
}

/// Searches, and answers when the limits say so at the latest; whether the search was left behind then.
pub fn search(
    prepared: &Arc<Prepared>,
    settings: Settings,
    interrupted: &AtomicBool,
    shown: bool,
) -> (Checked, bool) {
    let (progress, best) = (Arc::new(Progress::default()), Arc::new(BestSoFar::default()));
    let settings = Arc::new(settings);
    let promised = Promise { time: settings.options.max_time, memory: settings.options.max_memory };
    let begun = Instant::now();
    let work = {
        let (prepared, settings) = (prepared.clone(), settings.clone());
        let (progress, best) = (progress.clone(), best.clone());
        move || check::check_telling(&prepared, &settings, &progress, &best)
    };
    match promise::keep(promised, &progress, interrupted, shown, work) {
        Ok(checked) => (checked, false),
        Err(budget) => {
            let late = (budget, begun.elapsed().as_secs_f64());
            (check::overdue(prepared, &settings, &progress, &best, late), true)
        }
    }
}

/// Writes the schedules, and notes where they are.
fn save(
    arguments: &CheckArguments,
    prepared: &Prepared,
    checked: &mut Checked,
) -> Result<(), ScheduleFileError> {
    if arguments.no_schedule {
        return Ok(());
    }
    let first = PathBuf::from(format!("{}.schedule.json", prepared.name));
    let first = arguments.save_schedule.as_ref().unwrap_or(&first);
    for (index, (found, schedule)) in checked.result.violations.iter_mut().zip(&checked.schedules).enumerate()
    {
        let file = numbered(first, index + 1);
        let made_from = arguments.program.words(arguments.search.ending.properties());
        write_schedule(&file, &Schedule { made_from, ..schedule.clone() })?;
        found.replay = Some(arguments.program.replay_command(&file, arguments.search.ending.properties()));
        found.schedule = Some(file.display().to_string());
    }
    Ok(())
}

/// The name of the n-th file: `a.schedule.json`, `a-2.schedule.json`.
pub fn numbered(file: &Path, number: usize) -> PathBuf {
    if number == 1 {
        return file.to_path_buf();
    }
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let end =
        [".schedule.json", ".json"].into_iter().find(|end| name.len() > end.len() && name.ends_with(end));
    let (stem, end) = name.split_at(name.len() - end.map_or(0, str::len));
    file.with_file_name(format!("{stem}-{number}{end}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn further_files_are_numbered() {
        let name = |file: &str, number| numbered(Path::new(file), number).display().to_string();
        assert_eq!(name("out/bank.schedule.json", 1), "out/bank.schedule.json");
        assert_eq!(name("out/bank.schedule.json", 2), "out/bank-2.schedule.json");
        assert_eq!(name("s.json", 3), "s-3.json");
        assert_eq!(name("schedule", 2), "schedule-2");
        assert_eq!(name(".json", 2), ".json-2");
    }
}
