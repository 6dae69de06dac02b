//! `selvedge debug`.

use super::code;
use super::ending::EndArguments;
use super::program::ProgramArguments;
use super::terminal::{complain, interruptions};
use crate::debug::adapter::{self, Launch};
use crate::debug::{Session, terminal};
use crate::run::prepare::prepare_to_debug;
use clap::Args;
use selvedge_trace::read_schedule;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

/// Debug a recorded execution, forwards and backwards
///
/// Replays a schedule and stops where you want: at breakpoints, when a variable changes, line by line or step by step
/// of the schedule, in both directions. It speaks the Debug Adapter Protocol on standard input and output, for editors;
/// --tty gives a prompt instead. The program is compiled from the files that the schedule was recorded with, unless
/// others are named.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub struct DebugArguments {
    #[command(flatten)]
    program: ProgramArguments,

    /// The recorded schedule, if it is not the only thing that is named
    #[arg(long, value_name = "FILE")]
    schedule: Option<PathBuf>,

    /// A prompt in the terminal, instead of the protocol: `help` there lists the commands
    #[arg(long)]
    tty: bool,

    #[command(flatten)]
    ending: EndArguments,
}

const EXAMPLES: &str = "\
Without arguments it waits for an editor that says what to debug (`program`, `schedule`, `cwd`, `stopOnEntry`).

Examples:
  selvedge debug bank.schedule.json --tty      a prompt
  selvedge debug bank.c --schedule bank.schedule.json --tty
                                               the same, with the program named
  selvedge debug                               for an editor, which names the program

Exit codes:
  0    done
  2    wrong usage or input
  70   a bug of Selvedge";

/// Runs the command; the exit code.
pub fn debug(arguments: &DebugArguments) -> u8 {
    if arguments.tty {
        return match open(arguments) {
            Ok(mut session) => {
                session.interrupted = interruptions();
                let prompts = io::stdin().is_terminal();
                match terminal::serve(session, &mut io::stdin().lock(), io::stdout().lock(), prompts) {
                    Ok(()) => 0,
                    Err(cause) if cause.kind() == io::ErrorKind::BrokenPipe => code::PIPE_CLOSED,
                    Err(cause) => complain(&format!("the terminal cannot be used: {cause}")),
                }
            }
            Err(problem) => complain(&problem),
        };
    }
    if io::stdin().is_terminal() {
        return complain(
            &"standard input is a terminal, and an editor's debugger is expected there. Add --tty for a prompt",
        );
    }
    let mut launch = |launch: &Launch| {
        if let Some(folder) = &launch.folder {
            std::env::set_current_dir(folder)
                .map_err(|cause| format!("`cwd` is {folder:?}, which cannot be entered: {cause}"))?;
        }
        match launch.words.is_empty() {
            true => open(arguments),
            false => open(&super::parse_debug(&launch.words).map_err(|error| error.to_string())?),
        }
    };
    match adapter::serve(io::stdin(), io::stdout(), &mut launch) {
        Ok(()) => 0,
        Err(cause) if cause.kind() == io::ErrorKind::BrokenPipe => code::PIPE_CLOSED,
        Err(cause) => complain(&format!("the connection to the editor is broken: {cause}")),
    }
}

/// Compiles the program and goes to its first line.
fn open(arguments: &DebugArguments) -> Result<Session, String> {
    let is_schedule = |path: &Path| path.extension().is_some_and(|extension| extension == "json");
    let (file, own) = match (&arguments.schedule, arguments.program.sources()) {
        (Some(file), _) => (file.clone(), None),
        (None, [only]) if is_schedule(only) => (only.clone(), Some(only.clone())),
        (None, _) => {
            return Err(
                "a recorded schedule is needed. Name the .schedule.json file that `check` or `run` has \
                        written"
                    .to_owned(),
            );
        }
    };
    let schedule = read_schedule(&file).map_err(|error| error.to_string())?;
    let recorded = match own {
        Some(_) => Some(recorded_program(&file, &schedule.made_from)?),
        None if arguments.program.sources().is_empty() => Some(recorded_program(&file, &schedule.made_from)?),
        None => None,
    };
    let arguments = recorded.as_ref().unwrap_or(arguments);
    let (kept, plain) = prepare_to_debug(&arguments.program.request()).map_err(|error| error.to_string())?;
    Session::new(&kept, &plain, schedule, arguments.ending.properties())
        .map_err(|divergence| format!("schedule file `{}` does not fit: {divergence}", file.display()))
}

/// The program that a schedule was recorded with. Files that are not in the working directory are looked for beside the
/// schedule.
fn recorded_program(file: &Path, words: &[String]) -> Result<DebugArguments, String> {
    if words.is_empty() {
        return Err(format!(
            "schedule file `{}` does not say from which files the program is made. Name them: selvedge debug FILES \
             --schedule {}",
            file.display(),
            file.display()
        ));
    }
    let beside = file.parent().unwrap_or(Path::new(""));
    let find = |word: &String| match Path::new(word).exists() || !beside.join(word).exists() {
        true => word.clone(),
        false => beside.join(word).display().to_string(),
    };
    let words: Vec<String> = words.iter().map(find).collect();
    super::parse_debug(&words).map_err(|error| error.to_string())
}
