// selvedge: run
// expect: exit 1
// native: same
// stdout: width 80
// stdout: height 24
// stdout: colour is missing, source false
// stdout: not a number: invalid digit found in string

//! Errors travel up with `?`; `main` returning `Err` gives exit code 1 and is not a violation.

use std::error::Error;
use std::fmt;
use std::num::ParseIntError;

#[derive(Debug)]
enum ConfigError {
    Missing(&'static str),
    BadNumber(ParseIntError),
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConfigError::Missing(key) => write!(f, "{key} is missing"),
            ConfigError::BadNumber(_) => write!(f, "not a number"),
        }
    }
}

impl Error for ConfigError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            ConfigError::Missing(_) => None,
            ConfigError::BadNumber(inner) => Some(inner),
        }
    }
}

impl From<ParseIntError> for ConfigError {
    fn from(inner: ParseIntError) -> Self {
        ConfigError::BadNumber(inner)
    }
}

fn lookup(text: &str, key: &'static str) -> Result<u32, ConfigError> {
    let value = text
        .split(';')
        .filter_map(|pair| pair.split_once('='))
        .find_map(|(name, value)| (name == key).then_some(value))
        .ok_or(ConfigError::Missing(key))?;
    Ok(value.trim().parse()?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let text = "width=80;height= 24 ;depth=deep";
    println!("width {}", lookup(text, "width")?);
    println!("height {}", lookup(text, "height")?);
    let missing = lookup(text, "colour").unwrap_err();
    println!("{missing}, source {}", missing.source().is_some());
    let bad = lookup(text, "depth").unwrap_err();
    println!("{bad}: {}", bad.source().map(|s| s.to_string()).unwrap_or_default());
    lookup(text, "depth")?;
    println!("never printed");
    Ok(())
}
