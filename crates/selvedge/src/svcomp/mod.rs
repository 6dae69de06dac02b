//! The verification competition's way of asking and of answering: property files, the last line, witnesses.
//!
//! What a property means is [`Property`]'s business. Under the competition's rules the memory model is sequential
//! consistency; waits return only when they are woken.

mod hash;
mod witness;

use crate::check::Settings;
use selvedge_machine::EndProperties;
use selvedge_report::{Answer, Check, Kind, Violation};
use selvedge_trace::{Model, Property};
use std::io;
use std::path::{Path, PathBuf};
pub use witness::write as write_witness;

/// A property file.
#[derive(Clone, Debug)]
pub struct Specification {
    /// What is asked.
    pub property: Property,
    /// The file's text, for witnesses.
    pub text: String,
}

/// Why there is no property.
#[derive(Debug, thiserror::Error)]
pub enum SpecificationError {
    #[error("the property file `{0}` cannot be read: {1}. Check the spelling")]
    Unreadable(PathBuf, io::Error),
    #[error(
        "`{0}` asks for nothing that is known here. Known are `G ! call(reach_error())`, `G ! data-race`, `G ! overflow`, \
         `G valid-free`, `G valid-deref`, `G valid-memtrack` and `F end`, each in `CHECK( init(main()), LTL(...) )`"
    )]
    Unknown(PathBuf),
}

/// Formulas and the properties that they are.
const FORMULAS: [(&str, Property); 8] = [
    ("G!call(reach_error())", Property::Unreachable),
    ("G!call(__VERIFIER_error())", Property::Unreachable),
    ("G!data-race", Property::DataRace),
    ("G!overflow", Property::Overflow),
    ("Gvalid-free", Property::Memory),
    ("Gvalid-deref", Property::Memory),
    ("Gvalid-memtrack", Property::Memory),
    ("Fend", Property::Termination),
];

/// Reads a property file.
pub fn read(path: &Path) -> Result<Specification, SpecificationError> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| SpecificationError::Unreadable(path.to_owned(), error))?;
    match property(&text) {
        Some(property) => Ok(Specification { property, text }),
        None => Err(SpecificationError::Unknown(path.to_owned())),
    }
}

/// The property that all formulas of a file are part of.
fn property(text: &str) -> Option<Property> {
    let plain: String = text.chars().filter(|character| !character.is_whitespace()).collect();
    let mut found = None;
    for formula in plain.split("LTL(").skip(1) {
        let property = FORMULAS
            .iter()
            .find(|(known, _)| formula.strip_prefix(known).is_some_and(|rest| rest.starts_with(')')));
        let property = property.map(|(_, property)| *property)?;
        if found.is_some_and(|other| other != property) {
            return None;
        }
        found = Some(property);
    }
    found
}

impl Specification {
    /// Whether the compiler has to look for overflow.
    pub fn is_about_overflow(&self) -> bool {
        self.property == Property::Overflow
    }

    /// Makes settings those of the competition.
    pub fn apply(&self, settings: &mut Settings) {
        settings.model = Model::Sc;
        // The competition's limits are of processor time, and an answer counts when it is there.
        settings.second_opinion = false;
        let options = &mut settings.options;
        options.property = Some(self.property);
        options.races = self.property == Property::DataRace;
        options.spurious = false;
        if self.property == Property::Memory {
            options.at_end = EndProperties::LEAKS;
        }
    }

    /// The last line of an answer.
    pub fn answer(&self, check: &Check) -> String {
        match (check.verdict, check.violations.first()) {
            (Answer::Verified, _) => "true".to_owned(),
            (Answer::Violation, Some(found)) => format!("false({})", self.broken(&found.violation)),
            (Answer::Violation, None) | (Answer::Unknown, _) => "unknown".to_owned(),
        }
    }

    /// The competition's word for what does not hold.
    fn broken(&self, violation: &Violation) -> &'static str {
        match self.property {
            Property::Unreachable => "unreach-call",
            Property::DataRace => "no-data-race",
            Property::Overflow => "no-overflow",
            Property::Termination => "termination",
            Property::Memory if violation.kind == Kind::Leak => "valid-memtrack",
            Property::Memory => {
                let freed = ["double free", "invalid free"];
                match freed.iter().any(|start| violation.message.starts_with(start)) {
                    true => "valid-free",
                    false => "valid-deref",
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_properties() {
        let file = |formulas: &[&str]| -> String {
            formulas.iter().map(|formula| format!("CHECK( init(main()), LTL({formula}) )\n")).collect()
        };
        assert_eq!(property(&file(&["G ! call(reach_error())"])), Some(Property::Unreachable));
        assert_eq!(property(&file(&["G ! data-race"])), Some(Property::DataRace));
        let memory = file(&["G valid-free", "G valid-deref", "G valid-memtrack"]);
        assert_eq!(property(&memory), Some(Property::Memory));
        assert_eq!(property(&file(&["F end"])), Some(Property::Termination));
        assert_eq!(property(&file(&["G valid-memcleanup"])), None);
        assert_eq!(property(&file(&["G valid-free", "F end"])), None);
        assert_eq!(property(""), None);
    }

    #[test]
    fn what_is_broken_has_a_word() {
        let memory = Specification { property: Property::Memory, text: String::new() };
        let word = |kind, message: &str| memory.broken(&Violation::new(kind, message.to_owned()));
        assert_eq!(word(Kind::Memory, "double free of heap block main#1"), "valid-free");
        assert_eq!(word(Kind::Memory, "null pointer"), "valid-deref");
        assert_eq!(word(Kind::Leak, "4 bytes"), "valid-memtrack");
    }
}
