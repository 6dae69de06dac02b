//! The command line, declared once: parsing, help and messages come from here.

mod advice;
pub mod cargo;
pub mod check;
mod compare;
mod debug;
mod defaults;
mod disassemble;
mod doctor;
mod ending;
mod memory;
pub mod program;
mod progress;
mod promise;
pub mod reference;
mod report;
pub mod run;
mod search;
mod terminal;
pub mod values;

use crate::drivers::{Dialect, drop_in};
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

/// Exit codes of our own. A program that ends by itself gives its own code.
pub mod code {
    /// The program went wrong.
    pub const VIOLATION: u8 = 1;
    /// The command line or its inputs are wrong.
    pub const USAGE: u8 = 2;
    /// There is no answer.
    pub const UNKNOWN: u8 = 3;
    /// A bug of Selvedge.
    pub const BUG: u8 = 70;
    /// The user pressed Ctrl-C.
    pub const INTERRUPTED: u8 = 130;
    /// No process reads our output any more.
    pub const PIPE_CLOSED: u8 = 141;
}

/// Verifies multithreaded C, C++ and Rust programs, and executes them deterministically, one chosen step at a time.
#[derive(Parser)]
#[command(name = "selvedge", version, subcommand_required = true, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Check(Box<check::CheckArguments>),
    Run(Box<run::RunArguments>),
    Compare(Box<compare::CompareArguments>),
    Debug(Box<debug::DebugArguments>),
    Disassemble(Box<disassemble::DisassembleArguments>),
    /// Compile C as clang does, and keep the bitcode in the objects: CC="selvedge cc" make, then selvedge check ./program
    #[command(disable_help_flag = true)]
    Cc(Words),
    /// The same for C++: CXX="selvedge c++" make
    #[command(name = "c++", disable_help_flag = true)]
    Cxx(Words),
    /// Say which compilers and libraries are there, and how to get what is missing
    Doctor,
    Completions(reference::CompletionsArguments),
    #[command(hide = true)]
    Share(reference::ShareArguments),
}

/// Words for another program.
#[derive(Args)]
struct Words {
    /// Options and files, as for clang
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "WORD")]
    words: Vec<String>,
}

/// The arguments of `selvedge run`, as for tests: `words` are what follows `run`.
pub fn parse_run(words: &[String]) -> Result<run::RunArguments, clap::Error> {
    match parse("run", words)? {
        Command::Run(arguments) => Ok(*arguments),
        _ => unreachable!("the words begin with `run`"),
    }
}

/// The arguments of `selvedge check`, as for tests: `words` are what follows `check`.
pub fn parse_check(words: &[String]) -> Result<check::CheckArguments, clap::Error> {
    match parse("check", words)? {
        Command::Check(arguments) => Ok(*arguments),
        _ => unreachable!("the words begin with `check`"),
    }
}

/// The arguments of `selvedge debug`: `words` are what follows `debug`.
fn parse_debug(words: &[String]) -> Result<debug::DebugArguments, clap::Error> {
    match parse("debug", words)? {
        Command::Debug(arguments) => Ok(*arguments),
        _ => unreachable!("the words begin with `debug`"),
    }
}

/// The command line as it is declared. What is debugged can be said by an editor, or by a schedule.
fn whole_command_line() -> clap::Command {
    let optional = |debug: clap::Command| {
        // What is changed goes to the end of the list: places have to be told.
        debug
            .mut_arg("inputs", |inputs| inputs.required(false).index(1))
            .mut_arg("arguments", |arguments| arguments.index(2))
    };
    Arguments::command().mut_subcommand("debug", optional)
}

fn parse(command: &str, words: &[String]) -> Result<Command, clap::Error> {
    let start = ["selvedge".to_owned(), command.to_owned()];
    let matches = whole_command_line().try_get_matches_from(start.iter().chain(words))?;
    Ok(Arguments::from_arg_matches(&matches)?.command)
}

/// Reads the command line, does what it says, and tells with which code to exit.
pub fn main() -> ExitCode {
    terminal::report_bugs();
    let words = words_of_name(std::env::args_os().collect());
    let here = std::env::current_dir().unwrap_or_default();
    let words = match defaults::with_defaults(&whole_command_line(), &words, &here) {
        Ok(words) => words,
        Err(error) => return ExitCode::from(terminal::complain(&error)),
    };
    let parsed = whole_command_line().try_get_matches_from(&words);
    let arguments = match parsed.and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version come here too, and are no errors.
            let _ = error.print();
            if let Some(advice) = advice::advice(&error, &words) {
                terminal::say(&format!("\n  tip: {advice}\n"));
            }
            return ExitCode::from(if error.use_stderr() { code::USAGE } else { 0 });
        }
    };
    let code = match arguments.command {
        Command::Check(mut arguments) => check::check(&mut arguments),
        Command::Run(arguments) => run::run(&arguments),
        Command::Compare(arguments) => compare::compare(&arguments),
        Command::Debug(arguments) => debug::debug(&arguments),
        Command::Disassemble(arguments) => disassemble::disassemble(&arguments),
        Command::Cc(words) => compile(Dialect::C, &words),
        Command::Cxx(words) => compile(Dialect::Cxx, &words),
        Command::Doctor => doctor::doctor(),
        Command::Completions(arguments) => reference::completions(&arguments),
        Command::Share(arguments) => reference::share(&arguments),
    };
    ExitCode::from(code)
}

/// The command line where the program is called by one of its other names, for build systems that want a compiler to be one
/// word: `selvedge-cc` is `selvedge cc`.
fn words_of_name(mut words: Vec<OsString>) -> Vec<OsString> {
    let name = words.first().and_then(|word| Path::new(word).file_name()?.to_str()).unwrap_or_default();
    if let Some(command @ ("cc" | "c++")) = name.strip_prefix("selvedge-") {
        let command = command.into();
        words.insert(1, command);
    }
    words
}

/// Runs the compiler; its exit code.
fn compile(dialect: Dialect, words: &Words) -> u8 {
    match drop_in::compile(dialect, &words.words) {
        Ok(code) => u8::try_from(code).unwrap_or(1),
        Err(error) => terminal::complain(&error),
    }
}
