//! The forms in which the result of a check can be reported: one table, which the command line reads.
//!
//! A form is a leaf: a file here, and a row.

pub mod json;
pub mod junit;
mod sarif;

use crate::html::About;
use crate::text::{self, Detail};
use crate::{Check, Style};

/// How a reader wants it.
#[derive(Clone, Copy, Debug)]
pub struct Manner<'a> {
    /// What is said besides the result.
    pub about: &'a About,
    /// How much of an execution is shown.
    pub detail: Detail,
    /// Whether there are colours.
    pub style: Style,
    /// Say how much work questions about the order of events were.
    pub stats: bool,
}

/// A form of the report.
#[derive(Debug)]
pub struct Format {
    /// Its word.
    pub name: &'static str,
    /// What it is, for help.
    pub help: &'static str,
    /// People read it, so that they may be shown how far a search has come.
    pub for_people: bool,
    /// The report.
    pub write: fn(&Check, Manner<'_>) -> String,
}

/// All forms; the first one is that of a report for which none is asked.
pub static FORMATS: &[Format] = &[
    Format { name: "text", help: "Text for people", for_people: true, write: as_text },
    Format {
        name: "json",
        help: "One JSON object (docs/schema/check.schema.json)",
        for_people: false,
        write: |check, _| json::check(check),
    },
    Format {
        name: "sarif",
        help: "SARIF 2.1.0, for code scanning and editors",
        for_people: false,
        write: |check, manner| sarif::check(check, manner.about),
    },
    Format {
        name: "junit",
        help: "JUnit's XML, for test reports of CI systems",
        for_people: false,
        write: |check, manner| junit::check(check, manner.about),
    },
];

fn as_text(check: &Check, Manner { detail, style, stats, .. }: Manner<'_>) -> String {
    let stats = stats.then(|| text::solver_work(&check.covered)).flatten();
    text::check(check, detail, style) + &stats.unwrap_or_default()
}

#[test]
fn every_form_has_a_word_of_its_own() {
    for (number, format) in FORMATS.iter().enumerate() {
        assert!(FORMATS[..number].iter().all(|other| other.name != format.name), "{}", format.name);
    }
}
