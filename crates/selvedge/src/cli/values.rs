//! Values of options: from words to what they mean.

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use selvedge_explore::{Strategy, Tuning};
use selvedge_order::StartSolver;
use selvedge_program::VolatileOrder;
use selvedge_report::{FORMATS, Format};
use selvedge_smt::StartZ3;
use selvedge_trace::mutants::Mutant;
use selvedge_trace::{Model, Reduction, Reductions};
use std::sync::Arc;
use std::time::Duration;

/// A memory model.
pub fn model() -> impl TypedValueParser<Value = Model> {
    let names = Model::ALL.iter().map(|model| model.name());
    PossibleValuesParser::new(names).map(|name| Model::named(&name).unwrap_or_default())
}

/// What volatile accesses are taken for.
pub fn volatile_order() -> impl TypedValueParser<Value = VolatileOrder> {
    let names = VolatileOrder::ALL.map(VolatileOrder::name);
    PossibleValuesParser::new(names)
        .map(|name| VolatileOrder::named(&name).unwrap_or(VolatileOrder::SequentiallyConsistent))
}

/// A form of the report.
pub fn format() -> impl TypedValueParser<Value = &'static Format> {
    let named = |name: String| FORMATS.iter().find(|format| format.name == name);
    let values = FORMATS.iter().map(|format| PossibleValue::new(format.name).help(format.help));
    PossibleValuesParser::new(values).map(move |name| named(name).unwrap_or(&FORMATS[0]))
}

/// How long Z3 may think about one question.
const Z3_PATIENCE: Duration = Duration::from_secs(60);

/// The solvers as words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SolverArgument {
    Own,
    Z3,
}

impl SolverArgument {
    /// What starts the solver, for these strategies (nothing for the one that needs no start); what is wrong if it does not
    /// go with them, or is not there.
    pub fn solver(
        given: Option<Self>,
        strategies: &[Strategy],
    ) -> Result<Option<Arc<dyn StartSolver>>, String> {
        let Some(given) = given else { return Ok(None) };
        if !strategies.iter().any(|strategy| strategy.asks_solver()) {
            return Err(format!(
                "--solver is for strategies that ask about the order of events, which are {}. Add --strategy with one of \
                 them, or leave it out",
                Strategy::names_that(|row| row.abilities.asks_solver)
            ));
        }
        match given {
            SolverArgument::Own => Ok(None),
            SolverArgument::Z3 => {
                let start = StartZ3 { timeout: Z3_PATIENCE };
                match start.start() {
                    Ok(_) => Ok(Some(Arc::new(start))),
                    Err(error) => Err(format!("--solver z3: {error}")),
                }
            }
        }
    }
}

/// What the option is for that names a solver.
pub fn solver_help() -> String {
    let names = Strategy::names_that(|row| row.abilities.asks_solver);
    format!("For {names}: who answers questions about the order of events; own without it")
}

/// A strategy.
pub fn strategy(text: &str) -> Result<Strategy, String> {
    let names = || Strategy::names_that(|_| true);
    Strategy::named(text).ok_or_else(|| format!("there is no such strategy; there are {}", names()))
}

/// Reductions that are switched off.
pub fn switched_off(text: &str) -> Result<Reductions, String> {
    if text == "all" {
        return Ok(Reductions::OFF);
    }
    text.split(',').try_fold(Reductions::ON, |reductions, name| {
        let found = Reduction::ALL.iter().find(|reduction| reduction.name() == name);
        let names: Vec<&str> = Reduction::ALL.iter().map(|reduction| reduction.name()).collect();
        found
            .map(|&reduction| reductions.without(reduction))
            .ok_or_else(|| format!("there is no reduction `{name}`; there are {}, and all", names.join(", ")))
    })
}

/// A tuning constant and its value.
pub fn setting(text: &str) -> Result<(&'static str, u64), String> {
    let (name, value) = text.split_once('=').ok_or("not of the form NAME=VALUE")?;
    let constant = Tuning::TABLE.iter().find(|constant| constant.name == name).ok_or_else(|| {
        let names: Vec<&str> = Tuning::TABLE.iter().map(|constant| constant.name).collect();
        format!("there is no constant `{name}`; there are {}", names.join(", "))
    })?;
    let range = constant.least..=constant.most;
    let value = value.parse().ok().filter(|value| range.contains(value));
    let value = value.ok_or_else(|| format!("not a number from {} to {}", constant.least, constant.most))?;
    Ok((constant.name, value))
}

/// A deliberate mistake.
pub fn mutant(text: &str) -> Result<Mutant, String> {
    let found = Mutant::ALL.iter().copied().find(|mutant| mutant.name() == text);
    let found = found.filter(|_| cfg!(debug_assertions));
    found.ok_or_else(|| "there is no such mutant in this build".to_owned())
}

/// A number of arguments and their length.
pub fn symbolic_arguments(text: &str) -> Result<(usize, usize), String> {
    let numbers = text.split_once('x').and_then(|(count, length)| {
        Some((
            count.parse().ok().filter(|n| (1..=64).contains(n))?,
            length.parse().ok().filter(|n| (1..=4096).contains(n))?,
        ))
    });
    numbers.ok_or_else(|| "not of the form NxLENGTH, as in 2x8".to_owned())
}

/// A file's name and length.
pub fn symbolic_file(text: &str) -> Result<(String, usize), String> {
    let parts = text.rsplit_once(':').filter(|(name, _)| !name.is_empty());
    let parsed = parts
        .and_then(|(name, length)| Some((name.to_owned(), length.parse().ok().filter(|n| *n <= 1 << 20)?)));
    parsed.ok_or_else(|| "not of the form NAME:LENGTH, as in settings.txt:32".to_owned())
}

/// A number of something.
pub fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "not a whole number, as in 1000".to_owned())
}

/// A number of something of which there has to be one.
pub fn from_one(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| "not a whole number from 1 on".to_owned())
}

/// A number of threads.
pub fn jobs(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| "not a number of threads, of which there must be one at least".to_owned())
}

/// A number of bytes with a unit.
pub fn size(text: &str) -> Result<u64, String> {
    let bad = || "not a size; sizes look like 500M or 2G".to_owned();
    let number = text.trim_end_matches(|character: char| character.is_ascii_alphabetic());
    let unit = match text[number.len()..].to_ascii_lowercase().trim_end_matches("ib").trim_end_matches('b') {
        "k" => 1_u64 << 10,
        "m" => 1 << 20,
        "g" => 1 << 30,
        "t" => 1 << 40,
        _ => return Err(bad()),
    };
    let number: f64 = number.trim().parse().map_err(|_| bad())?;
    let bytes = number * unit as f64;
    if bytes.is_finite() && bytes >= 1.0 { Ok(bytes as u64) } else { Err(bad()) }
}

/// The words of one argument.
#[derive(Clone)]
pub struct Words(pub Vec<String>);

/// What a shell would make of a text.
pub fn words(text: &str) -> Result<Words, String> {
    shlex::split(text).map(Words).ok_or_else(|| "a quote is not closed".to_owned())
}

/// A time.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(number).map_err(|_| "not a number of seconds".to_owned())
}

/// An environment variable.
pub fn variable(text: &str) -> Result<String, String> {
    match text.split_once('=') {
        Some((name, _)) if !name.is_empty() && !text.contains('\0') => Ok(text.to_owned()),
        _ => Err("not of the form NAME=VALUE".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(size("500M"), Ok(500 << 20));
        assert_eq!(size("2g"), Ok(2 << 30));
        assert_eq!(size("1.5GiB"), Ok(3 << 29));
        for wrong in ["", "2", "G", "-1G", "2X", "1e400G", "nanM", "infK", "é"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
