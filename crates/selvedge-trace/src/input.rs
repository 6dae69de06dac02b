//! Names of values that a program asks for: the same in every execution.

use crate::ThreadName;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The how many-th value that a thread asks for, counted from 0: `main#0`, `main.1#2`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct InputName {
    /// The thread that asks.
    pub thread: ThreadName,
    /// The how many-th time.
    pub occurrence: u32,
}

impl fmt::Display for InputName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.thread, self.occurrence)
    }
}

/// The text is not the name of an input.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("`{0}` is not the name of an input; names look like `main#0` or `main.1#2`")]
pub struct BadInputName(String);

impl FromStr for InputName {
    type Err = BadInputName;

    fn from_str(text: &str) -> Result<Self, BadInputName> {
        let bad = || BadInputName(text.chars().take(80).collect());
        let (thread, occurrence) = text.split_once('#').ok_or_else(bad)?;
        let thread = thread.parse().map_err(|_| bad())?;
        let digits = !occurrence.is_empty() && occurrence.bytes().all(|byte| byte.is_ascii_digit());
        let occurrence = digits.then(|| occurrence.parse().ok()).flatten().ok_or_else(bad)?;
        Ok(InputName { thread, occurrence })
    }
}

impl From<InputName> for String {
    fn from(name: InputName) -> String {
        name.to_string()
    }
}

impl TryFrom<String> for InputName {
    type Error = BadInputName;

    fn try_from(text: String) -> Result<Self, BadInputName> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        let name = InputName { thread: ThreadName::main().child(2), occurrence: 7 };
        assert_eq!(name.to_string(), "main.2#7");
        assert_eq!("main.2#7".parse(), Ok(name));
        for wrong in ["", "main", "main#", "#1", "main#-1", "main#+1", "x#1", "main#99999999999"] {
            assert!(wrong.parse::<InputName>().is_err(), "{wrong}");
        }
    }
}
