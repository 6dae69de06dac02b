//! `cargo selvedge`: packages as `cargo` names them.

mod build;
mod listing;
mod outcome;
mod pool;
mod results;
mod select;
mod settings;
mod tell;
mod test;

use super::terminal;
use super::{check, code, defaults, run};
use clap::{Args, Command, CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;
use std::process::ExitCode;

/// Verify the tests and programs of Cargo packages: every schedule of their threads.
#[derive(Parser)]
#[command(name = "cargo-selvedge", bin_name = "cargo selvedge", version)]
#[command(subcommand_required = true, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Subcommands,
}

#[derive(Subcommand)]
enum Subcommands {
    Test(Box<test::TestArguments>),
    /// Check a program, an example or a test of a package, as `selvedge check FOLDER` does: all schedules of the whole
    Check(Rest),
    /// Run a program, an example or a test of a package once, as `selvedge run FOLDER` does
    Run(Rest),
}

/// What the other command reads.
#[derive(Args)]
#[command(disable_help_flag = true)]
struct Rest {
    /// Options and arguments of that command; the folder is the present one unless one is named
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "OPTION")]
    words: Vec<OsString>,
}

/// The declaration of the command line.
pub fn whole_command_line() -> Command {
    Arguments::command()
}

/// Reads the command line, does what it says, and tells with which code to exit.
pub fn main() -> ExitCode {
    terminal::report_bugs();
    let mut words: Vec<OsString> = std::env::args_os().collect();
    // Cargo puts the name of the subcommand first.
    if words.get(1).is_some_and(|word| word == "selvedge") {
        words.remove(1);
    }
    let here = std::env::current_dir().unwrap_or_default();
    let words = match defaults::with_defaults(&as_typed(), &words, &here) {
        Ok(words) => words,
        Err(error) => return ExitCode::from(terminal::complain(&error)),
    };
    let code = Arguments::try_parse_from(&words).and_then(|arguments| match arguments.command {
        Subcommands::Test(arguments) => Ok(test::test(&arguments, &words[2..])),
        Subcommands::Check(rest) => Ok(check::check(&mut other::<check::CheckArguments>("check", rest)?)),
        Subcommands::Run(rest) => Ok(run::run(&other::<run::RunArguments>("run", rest)?)),
    });
    ExitCode::from(code.unwrap_or_else(|error| {
        // Help and version come here too, and are no errors.
        let _ = error.print();
        if error.use_stderr() { code::USAGE } else { 0 }
    }))
}

/// The command line with the options of the commands whose words are passed on.
fn as_typed() -> Command {
    let check = named::<check::CheckArguments>("check");
    Command::new("cargo-selvedge").subcommand(check).subcommand(named::<run::RunArguments>("run"))
}

/// Whether a settings file may say so of tests.
pub fn is_setting(name: &str) -> bool {
    settings::known(name)
}

/// The arguments of a command that names its program; here that is the package in the present folder.
fn other<T: Args + FromArgMatches>(name: &'static str, rest: Rest) -> Result<T, clap::Error> {
    T::from_arg_matches(&named::<T>(name).no_binary_name(true).try_get_matches_from(rest.words)?)
}

/// The declaration of such a command.
fn named<T: Args>(name: &'static str) -> Command {
    let command = T::augment_args(Command::new(name).bin_name(format!("cargo selvedge {name}")));
    let command = command.mut_arg("inputs", |input| {
        input.required(false).default_value(".").value_name("FOLDER").help("The package's folder")
    });
    // An argument that is changed goes behind the others, and those of the program have to be the last.
    command.mut_arg("arguments", |arguments| arguments)
}
