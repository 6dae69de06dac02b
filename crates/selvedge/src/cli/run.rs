//! `selvedge run`.

use super::code;
use super::terminal::{self, Streams, complain, say};
use crate::drivers::{CargoTarget, Request};
use crate::run::execute::{Captured, End, Execution, Limits};
use crate::run::prepare::{Prepared, prepare};
use crate::run::{self, Choose, ENVIRONMENT, Settings, Trace};
use clap::{Args, ValueEnum};
use selvedge_report::{Verdict, text};
use selvedge_trace::{Inputs, Model, read_schedule, write_schedule};
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
    /// Source files (.c .cc .cpp .cxx .rs), bitcode (.bc .ll), a Cargo package, or a folder with
    /// compile_commands.json
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,

    /// Arguments of the program
    #[arg(last = true, value_name = "ARGUMENT")]
    arguments: Vec<String>,

    /// Choose steps at random: another schedule for each number, and always the same one for the same number
    #[arg(long, value_name = "NUMBER", help_heading = "Schedule")]
    seed: Option<u64>,

    /// Replay a recorded schedule, with the inputs and the memory model that were recorded
    #[arg(long, value_name = "FILE", help_heading = "Schedule", conflicts_with_all = ["seed", "model", "env", "arguments"])]
    schedule: Option<PathBuf>,

    /// Write what was chosen into this file. A violation is recorded in any case, as PROGRAM.schedule.json unless
    /// this says otherwise
    #[arg(long, value_name = "FILE", help_heading = "Schedule")]
    save_schedule: Option<PathBuf>,

    /// The memory model: sequential consistency, or store buffers as on x86 (tso) or weaker (pso)
    #[arg(long, value_enum, default_value_t = ModelArgument::Sc, help_heading = "Schedule")]
    model: ModelArgument,

    /// Show the execution as a table, one column a thread
    #[arg(long, help_heading = "What to look at")]
    trace: bool,

    /// Report memory that was never freed and that no pointer leads to
    #[arg(long, help_heading = "What to look at")]
    leaks: bool,

    /// Run twice and compare every event: a difference is a bug of Selvedge
    #[arg(long, help_heading = "What to look at")]
    verify_determinism: bool,

    /// Give up after so many steps; the verdict is then unknown
    #[arg(long, value_name = "NUMBER", help_heading = "Limits")]
    max_steps: Option<u64>,

    /// Give up after so many seconds; the verdict is then unknown
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Limits")]
    max_time: Option<Duration>,

    /// Flags for the compiler, as in a shell: --cflags "-O1 -DSIZE=4"
    #[arg(long, value_name = "FLAGS", value_parser = words, allow_hyphen_values = true, help_heading = "Compilation")]
    cflags: Option<Words>,

    /// Optimise: 0, 1, 2, 3 or s. Without it nothing is optimised
    #[arg(long, value_name = "LEVEL", value_parser = ["0", "1", "2", "3", "s"], help_heading = "Compilation")]
    opt_level: Option<String>,

    /// Show the commands that compile, and their warnings
    #[arg(long, short, help_heading = "Compilation")]
    verbose: bool,

    /// Run this binary of a package (or of compile_commands.json)
    #[arg(long, value_name = "NAME", group = "target", help_heading = "Cargo packages")]
    bin: Option<String>,

    /// Run this example of a package
    #[arg(long, value_name = "NAME", group = "target", help_heading = "Cargo packages")]
    example: Option<String>,

    /// Run this integration test of a package
    #[arg(long, value_name = "NAME", group = "target", help_heading = "Cargo packages")]
    test: Option<String>,

    /// Run the unit tests of a package's library
    #[arg(long, group = "target", help_heading = "Cargo packages")]
    lib: bool,

    /// The package of a workspace
    #[arg(long, short, value_name = "NAME", help_heading = "Cargo packages")]
    package: Option<String>,

    /// Features to switch on
    #[arg(long, value_name = "NAMES", help_heading = "Cargo packages")]
    features: Option<String>,

    /// Switch on all features
    #[arg(long, help_heading = "Cargo packages")]
    all_features: bool,

    /// Leave the default features off
    #[arg(long, help_heading = "Cargo packages")]
    no_default_features: bool,

    /// Set an environment variable for the program, which sees none of yours (only HOME, LANG and PATH with fixed
    /// values)
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable, help_heading = "Inputs")]
    env: Vec<String>,
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

#[derive(Clone, Copy, ValueEnum)]
enum ModelArgument {
    Sc,
    Tso,
    Pso,
}

/// The words of one argument.
#[derive(Clone)]
struct Words(Vec<String>);

fn words(text: &str) -> Result<Words, String> {
    shlex::split(text).map(Words).ok_or_else(|| "a quote is not closed".to_owned())
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(number).map_err(|_| "not a number of seconds".to_owned())
}

fn variable(text: &str) -> Result<String, String> {
    match text.split_once('=') {
        Some((name, _)) if !name.is_empty() && !text.contains('\0') => Ok(text.to_owned()),
        _ => Err("not of the form NAME=VALUE".to_owned()),
    }
}

impl RunArguments {
    /// What to compile.
    pub fn request(&self) -> Request {
        let cargo = match (&self.bin, &self.example, &self.test, self.lib) {
            (_, Some(name), ..) => CargoTarget::Example(name.clone()),
            (_, _, Some(name), _) => CargoTarget::Test(name.clone()),
            (.., true) => CargoTarget::Test("lib".to_owned()),
            (name, ..) => CargoTarget::Binary(name.clone()),
        };
        let mut cargo_args = Vec::new();
        let named = [("--package", &self.package), ("--features", &self.features)];
        for (option, value) in named {
            if let Some(value) = value {
                cargo_args.extend([option.to_owned(), value.clone()]);
            }
        }
        let switches =
            [("--all-features", self.all_features), ("--no-default-features", self.no_default_features)];
        cargo_args.extend(switches.into_iter().filter(|(_, on)| *on).map(|(option, _)| option.to_owned()));
        Request {
            inputs: self.inputs.clone(),
            cflags: self.cflags.clone().map_or_else(Vec::new, |words| words.0),
            opt_level: self.opt_level.clone(),
            cargo,
            cargo_args,
            verbose: self.verbose,
            program: None,
        }
    }

    /// What the program sees of the outside.
    pub fn inputs(&self, stdin: Vec<u8>) -> Inputs {
        let mut environment: Vec<String> =
            ENVIRONMENT.iter().map(|variable| (*variable).to_owned()).collect();
        let name = |variable: &str| variable.split('=').next().unwrap_or_default().to_owned();
        for variable in &self.env {
            environment.retain(|other| name(other) != name(variable));
            environment.push(variable.clone());
        }
        Inputs { arguments: self.arguments.clone(), environment, stdin, ..Inputs::default() }
    }

    /// The memory model.
    pub fn model(&self) -> Model {
        match self.model {
            ModelArgument::Sc => Model::Sc,
            ModelArgument::Tso => Model::Tso,
            ModelArgument::Pso => Model::Pso,
        }
    }

    /// When to give up.
    pub fn limits(&self) -> Limits {
        Limits { steps: self.max_steps, time: self.max_time, interrupted: None }
    }

    /// Whether memory that was never freed is a violation.
    pub fn leaks(&self) -> bool {
        self.leaks
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
    let prepared = match prepare(&arguments.request()) {
        Ok(_) | Err(_) if interrupted.load(Ordering::Relaxed) => {
            say("selvedge: interrupted while compiling\n");
            return code::INTERRUPTED;
        }
        Ok(prepared) => prepared,
        Err(error) => return complain(&error),
    };
    let stdin = match &choose {
        Choose::Replay(_) => Ok(Vec::new()),
        _ => terminal::stdin(),
    };
    let inputs = match stdin {
        Ok(stdin) => arguments.inputs(stdin),
        Err(error) => {
            return complain(&format!("standard input cannot be read: {error}. Redirect it from a file"));
        }
    };
    let limits = Limits { interrupted: Some(interrupted), ..arguments.limits() };
    let trace = match (arguments.trace, arguments.verify_determinism) {
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
        say(&format!("selvedge: both runs had the same {} events\n", first.machine.trace().len()));
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
    if arguments.trace {
        say(&run::table(execution).text(style));
    }
    let verdict = run::judge(execution, arguments.leaks);
    let violated = matches!(verdict, Verdict::Violation(_));
    let file = match (&arguments.save_schedule, &arguments.schedule) {
        (Some(file), _) => Some(file.clone()),
        (None, None) if violated => Some(PathBuf::from(format!("{}.schedule.json", prepared.name))),
        (None, _) => None,
    };
    let mut unwritten = None;
    if let Some(file) = &file {
        unwritten = write_schedule(file, &run::schedule(prepared, settings, execution)).err();
    }
    let file = file.filter(|_| unwritten.is_none()).or_else(|| arguments.schedule.clone());
    let command = file.map(|file| replay_command(arguments, &file));
    let code = match &verdict {
        Verdict::Ended(code) => *code as u8,
        Verdict::Violation(violation) => {
            say(&text::violation(violation, command.as_deref(), style));
            code::VIOLATION
        }
        Verdict::Unknown(unknown) => {
            say(&text::unknown(unknown, command.as_deref(), style));
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

/// The command that replays a schedule: what determines the program, and the schedule.
fn replay_command(arguments: &RunArguments, schedule: &std::path::Path) -> String {
    let mut words = vec!["selvedge".to_owned(), "run".to_owned()];
    words.extend(arguments.inputs.iter().map(|input| input.display().to_string()));
    let cflags = arguments.cflags.as_ref().map(|words| join(&words.0));
    let options = [
        ("--cflags", &cflags),
        ("--opt-level", &arguments.opt_level),
        ("--bin", &arguments.bin),
        ("--example", &arguments.example),
        ("--test", &arguments.test),
        ("--package", &arguments.package),
        ("--features", &arguments.features),
    ];
    for (option, value) in options {
        if let Some(value) = value {
            words.extend([option.to_owned(), value.clone()]);
        }
    }
    let switches = [
        ("--lib", arguments.lib),
        ("--all-features", arguments.all_features),
        ("--no-default-features", arguments.no_default_features),
        ("--leaks", arguments.leaks),
    ];
    words.extend(switches.into_iter().filter(|(_, on)| *on).map(|(option, _)| option.to_owned()));
    words.extend(["--schedule".to_owned(), schedule.display().to_string()]);
    join(&words)
}

/// The words as a shell would read them.
fn join(words: &[String]) -> String {
    let plain = |character: char| character.is_ascii_alphanumeric() || "-_./=+:,@%".contains(character);
    let quote = |word: &String| match !word.is_empty() && word.chars().all(plain) {
        true => word.clone(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    };
    words.iter().map(quote).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_can_be_pasted_into_a_shell() {
        let words = ["run", "a b.c", "--cflags", "-std=c++20 -DX='y'"].map(str::to_owned);
        let command = join(&words);
        assert_eq!(command, r"run 'a b.c' --cflags '-std=c++20 -DX='\''y'\'''");
        assert_eq!(shlex::split(&command), Some(words.to_vec()));
    }
}
