//! What the steps of a recorded execution did, by names that outlive small changes of the program.

use crate::EventKind;
use std::fmt;
use std::str::FromStr;

/// What one step did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepNote {
    pub kind: EventKind,
    /// The variable or object that it was about; empty where there is none.
    pub object: String,
    /// Function, file and line in the user's own code, for messages; empty where that is not known.
    pub at: String,
}

impl fmt::Display for StepNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.kind)?;
        if !self.object.is_empty() {
            write!(f, " {}", self.object)?;
        }
        if self.at.is_empty() { Ok(()) } else { write!(f, " @ {}", self.at) }
    }
}

impl FromStr for StepNote {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (what, at) = text.split_once(" @ ").unwrap_or((text, ""));
        let (kind, object) = what.split_once(' ').unwrap_or((what, ""));
        let kind = serde_json::from_value(serde_json::Value::String(kind.to_owned())).map_err(|_| ())?;
        Ok(StepNote { kind, object: object.to_owned(), at: at.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_read_as_they_are_written() {
        for text in [
            "MutexLock checking.lock @ transfer bank.c:20",
            "ThreadJoin @ main bank.c:51",
            "Write heap block main.1#3",
            "Yield",
        ] {
            assert_eq!(text.parse::<StepNote>().map(|note| note.to_string()), Ok(text.to_owned()));
        }
        assert_eq!("Dance".parse::<StepNote>(), Err(()));
    }
}
