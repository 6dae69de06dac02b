//! Compares what a program does under Selvedge with what it did natively.

use crate::native::Native;
use selvedge::drivers::Request;
use selvedge::run::execute::{Captured, End, Limits};
use selvedge::run::prepare::prepare;
use selvedge::run::{self, Choose, Settings, Trace};
use selvedge_machine::EndProperties;
use selvedge_report::Verdict;
use selvedge_trace::{Inputs, Model};
use std::time::Duration;

/// A run that takes longer than this is given up, on however busy a machine.
const LIMIT: Duration = Duration::from_secs(60);

/// How a comparison went.
#[derive(Debug, PartialEq, Eq)]
pub enum Compared {
    /// Both printed the same and ended with the same exit code.
    Same,
    /// The run takes too long.
    TooLong,
}

/// Runs a program once and compares output and exit code with the native ones.
pub fn compare_within(
    request: &Request,
    arguments: &[&str],
    expected: &Native,
    steps: Option<u64>,
) -> Result<Compared, String> {
    let prepared = prepare(request).map_err(|error| format!("not prepared: {error}"))?;
    let settings = Settings {
        choose: Choose::InOrder,
        model: Model::Sc,
        inputs: Inputs {
            arguments: arguments.iter().map(|&argument| argument.to_owned()).collect(),
            ..Inputs::default()
        },
        trace: Trace::Off,
        limits: Limits { steps, time: Some(LIMIT), interrupted: None },
    };
    let mut output = Captured::default();
    let mut execution = run::run(&prepared, &settings, &mut output).map_err(|error| error.to_string())?;
    if matches!(execution.end, End::Steps | End::Time) {
        return Ok(Compared::TooLong);
    }
    let code = match run::judge(&mut execution, EndProperties::NONE) {
        Verdict::Ended(code) => code,
        Verdict::Violation(violation) => {
            let place = violation.place.map(|place| place.described()).unwrap_or_default();
            return Err(format!("violation {}: {} ({place})", violation.kind.name(), violation.message));
        }
        Verdict::Unknown(unknown) => {
            let place = unknown.place.map(|place| place.described()).unwrap_or_default();
            return Err(format!("unknown: {} ({place})", unknown.what));
        }
    };
    if output.stdout != expected.stdout {
        return Err(difference(&expected.stdout, &output.stdout));
    }
    match code == expected.code {
        true => Ok(Compared::Same),
        false => Err(format!("exit code {code}, natively {}", expected.code)),
    }
}

/// The same for a program that is known to be short.
pub fn compare(request: &Request, arguments: &[&str], expected: &Native) -> Result<(), String> {
    match compare_within(request, arguments, expected, None)? {
        Compared::Same => Ok(()),
        Compared::TooLong => Err("the program takes too long".to_owned()),
    }
}

fn difference(expected: &[u8], actual: &[u8]) -> String {
    let [expected, actual] = [expected, actual].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let mut lines = expected.lines().zip(actual.lines()).enumerate();
    match lines.find(|(_, (one, other))| one != other) {
        Some((line, (one, other))) => format!("line {} is {other:?}, natively {one:?}", line + 1),
        None => format!("{} lines, natively {}", actual.lines().count(), expected.lines().count()),
    }
}
