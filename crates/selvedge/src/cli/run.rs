//! `selvedge run`.

use super::code;
use super::ending::EndArguments;
use super::program::ProgramArguments;
use super::report;
use super::terminal::{self, Streams, complain, say};
use super::values::{model, number, seconds};
use crate::run::execute::{Captured, End, Execution, Limits};
use crate::run::prepare::{Prepared, prepare};
use crate::run::{self, Choose, Settings, Trace};
use clap::Args;
use selvedge_machine::EndProperties;
use selvedge_report::{Verdict, html, perfetto, text};
use selvedge_trace::{Model, read_schedule, write_schedule};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Run a program under a schedule of your choice
///
/// Compiles the program to bitcode and executes it deterministically, one chosen step at a time. It prints what the
/// program prints, and exits as the program would. Without --seed and --schedule one thread runs as long as it can,
/// then the next.
#[derive(Args)]
#[command(after_help = EXIT_CODES, after_long_help = EXAMPLES)]
pub struct RunArguments {
    #[command(flatten)]
    program: ProgramArguments,

    /// Choose steps at random: another schedule for each number, and always the same one for the same number
    #[arg(long, value_name = "NUMBER", value_parser = number::<u64>, help_heading = "Schedule")]
    seed: Option<u64>,

    /// Replay a recorded schedule, with the inputs and the memory model that were recorded
    #[arg(long, value_name = "FILE", help_heading = "Schedule", conflicts_with_all = ["seed", "model", "env", "arguments"])]
    schedule: Option<PathBuf>,

    /// Write what was chosen into this file. A violation is recorded in any case, as PROGRAM.schedule.json unless
    /// this says otherwise
    #[arg(long, value_name = "FILE", help_heading = "Schedule")]
    save_schedule: Option<PathBuf>,

    /// The memory model: sequential consistency, store buffers as on x86 (tso) or weaker (pso), the language's own
    /// (rc11), or what of that multi-copy-atomic machines can show (mca)
    #[arg(long, value_parser = model(), default_value = "sc", help_heading = "Schedule")]
    model: Model,

    /// Show the execution as a table, one column a thread
    #[arg(long, help_heading = "What to look at")]
    trace: bool,

    /// Write a page for the browser into this file: the execution in lanes beside the source, with the values at each step
    #[arg(long, value_name = "FILE", help_heading = "What to look at")]
    report: Option<PathBuf>,

    /// Write the execution into this file, for viewers of traces (Perfetto, Chrome's)
    #[arg(long, value_name = "FILE", help_heading = "What to look at")]
    perfetto: Option<PathBuf>,

    /// One line about how the run has ended, where it did not end by itself
    #[arg(long, short, conflicts_with = "trace", help_heading = "What to look at")]
    quiet: bool,

    #[command(flatten)]
    ending: EndArguments,

    /// Run twice and compare every event: a difference is a bug of Selvedge
    #[arg(long, help_heading = "What to look at")]
    verify_determinism: bool,

    /// Give up after so many steps; the verdict is then unknown
    #[arg(long, value_name = "NUMBER", value_parser = number::<u64>, help_heading = "Limits")]
    max_steps: Option<u64>,

    /// Give up after so many seconds; the verdict is then unknown
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Limits")]
    max_time: Option<Duration>,
}

const EXIT_CODES: &str = "Exit codes: the program's own when it ends by itself; 1 violation; 2 wrong usage or input; \
                          3 unknown (a limit, or something unsupported); 130 interrupted.";

const EXAMPLES: &str = "\
Standard input: all of it is read before the program starts, unless it is a terminal; then the program finds it empty.

Examples:
  selvedge run bank.c                          one thread after the other
  selvedge run bank.c --seed 7                 a random schedule, the same each time
  selvedge run bank.c --seed 7 --trace         with everything that happened
  selvedge run bank.c --schedule bank.schedule.json
                                               exactly the recorded run
  selvedge run a.cpp b.cpp --cflags \"-std=c++20 -O1\" -- 3 words
                                               several files, flags, arguments
  selvedge run . --example demo                a Cargo package's example
  selvedge run . --test phases -- --exact one  one test of an integration test

Exit codes:
  the program's own when it ends by itself
  1    violation: the program went wrong; a schedule file and a report say how
  2    wrong usage or input
  3    unknown: a limit was reached, or the program does something unsupported
  70   a bug of Selvedge
  130  interrupted; what was chosen so far is kept with --save-schedule";

impl RunArguments {
    /// The program and what it sees.
    pub fn program(&self) -> &ProgramArguments {
        &self.program
    }

    /// The memory model.
    pub fn model(&self) -> Model {
        self.model
    }

    /// When to give up.
    pub fn limits(&self) -> Limits {
        Limits { steps: self.max_steps, time: self.max_time, interrupted: None }
    }

    /// Whether events have to be put into words.
    fn needs_words(&self) -> bool {
        self.trace || self.report.is_some() || self.perfetto.is_some()
    }

    /// What has to hold when the program has ended.
    pub fn at_end(&self) -> EndProperties {
        self.ending.properties()
    }
}

/// Runs the command; the exit code.
pub fn run(arguments: &RunArguments) -> u8 {
    let interrupted = terminal::interruptions();
    let choose = match (&arguments.schedule, arguments.seed) {
        (Some(file), _) => match read_schedule(file) {
            Ok(schedule) => Choose::Replay(Box::new(schedule)),
            Err(error) => return complain(&error),
        },
        (None, Some(seed)) => Choose::Seed(seed),
        (None, None) => Choose::InOrder,
    };
    let prepared = match prepare(&arguments.program.request()) {
        Ok(_) | Err(_) if interrupted.load(Ordering::Relaxed) => {
            say("selvedge: interrupted while compiling\n");
            return code::INTERRUPTED;
        }
        Ok(prepared) => prepared,
        Err(error) => return complain(&error),
    };
    let stdin = match &choose {
        Choose::Replay(_) | Choose::Exactly(_) => Ok(Vec::new()),
        Choose::InOrder | Choose::Seed(_) => terminal::stdin(),
    };
    let inputs = match stdin {
        Ok(stdin) => arguments.program.inputs(stdin),
        Err(error) => {
            return complain(&format!("standard input cannot be read: {error}. Redirect it from a file"));
        }
    };
    let limits = Limits { interrupted: Some(interrupted), ..arguments.limits() };
    let trace = match (arguments.needs_words(), arguments.verify_determinism) {
        (true, _) => Trace::Words,
        (false, true) => Trace::Events,
        (false, false) => Trace::Off,
    };
    let settings = Settings { choose, model: arguments.model(), inputs, trace, limits };
    let mut output = Streams { captured: arguments.verify_determinism.then(Captured::default) };
    match run::run(&prepared, &settings, &mut output) {
        Ok(execution) if arguments.verify_determinism => {
            let output = output.captured.unwrap_or_default();
            verify_determinism(arguments, &prepared, &settings, execution, &output)
        }
        Ok(mut execution) => finish(arguments, &prepared, &settings, &mut execution),
        Err(divergence) => {
            let file = arguments.schedule.clone().unwrap_or_default();
            complain(&format!("schedule file `{}` does not fit: {divergence}", file.display()))
        }
    }
}

/// Runs once more and compares with the first run.
fn verify_determinism(
    arguments: &RunArguments,
    prepared: &Prepared,
    settings: &Settings,
    mut first: Execution,
    output: &Captured,
) -> u8 {
    let mut again = Captured::default();
    let second = match run::run(prepared, settings, &mut again) {
        Ok(second) => second,
        Err(divergence) => return complain(&divergence),
    };
    // Runs that were stopped from outside end somewhere.
    let comparable = [&first.end, &second.end].into_iter().all(|end| matches!(end, End::Over | End::Steps));
    if comparable {
        if let Err(difference) = run::compare((&first, output), (&second, &again)) {
            say(&format!("selvedge: {difference}\n"));
            return code::BUG;
        }
        say(&format!("selvedge: both runs had the same {} events\n", first.machine.inspect().trace().len()));
    }
    finish(arguments, prepared, settings, &mut first)
}

/// Reports how the run ended.
fn finish(
    arguments: &RunArguments,
    prepared: &Prepared,
    settings: &Settings,
    execution: &mut Execution,
) -> u8 {
    if let End::Output(cause) = &execution.end
        && cause.kind() == std::io::ErrorKind::BrokenPipe
    {
        return code::PIPE_CLOSED;
    }
    let style = terminal::style();
    let verdict = run::judge(execution, arguments.at_end());
    let table = run::table(execution, &verdict);
    if arguments.trace {
        say(&table.text(style));
    }
    let violated = matches!(verdict, Verdict::Violation(_));
    let file = match (&arguments.save_schedule, &arguments.schedule) {
        (Some(file), _) => Some(file.clone()),
        (None, None) if violated => Some(PathBuf::from(format!("{}.schedule.json", prepared.name))),
        (None, _) => None,
    };
    let mut unwritten = None;
    if let Some(file) = &file {
        let mut schedule = run::schedule(prepared, settings, execution);
        schedule.made_from = arguments.program.words(arguments.at_end());
        unwritten = write_schedule(file, &schedule).err();
    }
    let file = file.filter(|_| unwritten.is_none()).or_else(|| arguments.schedule.clone());
    let command = file.map(|file| arguments.program.replay_command(&file, arguments.at_end()));
    if let Some(file) = &arguments.perfetto
        && let Err(error) = report::write("trace", file, &perfetto::run(&table, &prepared.name))
    {
        complain(&error);
    }
    if let Some(file) = &arguments.report {
        let about = report::about(prepared, html::files_of_run(&verdict, &table));
        let model = settings.choose.schedule().map_or(settings.model, |schedule| schedule.model);
        let (replay, steps) = (command.as_deref(), execution.steps);
        let page = html::run(&html::Run { verdict: &verdict, model, table, replay, steps }, &about);
        if let Err(error) = report::write("report", file, &page) {
            complain(&error);
        }
    }
    let code = match &verdict {
        Verdict::Ended(code) => *code as u8,
        Verdict::Violation(violation) => {
            say(&match arguments.quiet {
                true => text::line_of(violation),
                false => text::violation(violation, command.as_deref(), style),
            });
            code::VIOLATION
        }
        Verdict::Unknown(unknown) => {
            say(&match arguments.quiet {
                true => text::line_of_unknown(unknown),
                false => text::unknown(unknown, command.as_deref(), style),
            });
            if matches!(execution.end, End::Interrupted) { code::INTERRUPTED } else { code::UNKNOWN }
        }
    };
    match unwritten {
        Some(error) if violated => {
            complain(&error);
            code
        }
        Some(error) => complain(&error),
        None => code,
    }
}
