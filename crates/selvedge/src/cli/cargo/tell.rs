//! What is said of tests while they are checked, and at the end.

use super::listing::Listed;
use super::outcome::Outcome;
use crate::cli::terminal::{print, style_of};
use clap::ValueEnum;
use selvedge_report::{Answer, Style};
use serde_json::json;
use std::time::Instant;

/// The forms of what is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Text,
    Json,
}

/// How much is said.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    pub format: Format,
    /// Nothing of tests that are verified.
    pub quiet: bool,
    /// The executions of violations.
    pub trace: bool,
}

/// A test, and the program that it is part of.
#[derive(Clone, Debug)]
pub struct Test {
    pub package: String,
    /// As options name it.
    pub target: String,
    /// The program's name for people.
    pub program: String,
    pub name: String,
    pub place: String,
}

/// Says what comes out, and counts.
pub struct Teller {
    manner: Manner,
    style: Style,
    begun: Instant,
    /// The program of the last line.
    program: String,
    counts: Counts,
}

/// How many tests had which outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub verified: usize,
    pub violations: usize,
    pub unknown: usize,
    pub ignored: usize,
    pub cached: usize,
    /// They were to be checked, and the user did not want to wait.
    pub left: usize,
}

impl Counts {
    /// Tests that were checked.
    pub fn checked(&self) -> usize {
        self.verified + self.violations + self.unknown
    }
}

impl Teller {
    pub fn new(manner: Manner) -> Self {
        let style = style_of(&std::io::stdout());
        Teller { manner, style, begun: Instant::now(), program: String::new(), counts: Counts::default() }
    }

    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// A test is only named.
    pub fn listed(&mut self, test: &Test, listed: &Listed) {
        match self.manner.format {
            Format::Text => {
                self.under(test);
                print(&format!("{}: test\n", test.name));
            }
            Format::Json => {
                let ignored = listed.ignored.is_some();
                self.object("listed", test, json!({ "ignored": ignored }));
            }
        }
    }

    /// A test is not checked.
    pub fn ignored(&mut self, test: &Test, why: &str) {
        self.counts.ignored += 1;
        match self.manner.format {
            Format::Text if self.manner.quiet => {}
            Format::Text => {
                self.under(test);
                let why = if why.is_empty() { String::new() } else { format!(": {why}") };
                print(&format!("test {} ... {}{why}\n", test.name, self.style.weak("ignored")));
            }
            Format::Json => self.object("ignored", test, json!({ "why": why })),
        }
    }

    /// A test will not be checked any more.
    pub fn left(&mut self) {
        self.counts.left += 1;
    }

    /// A test was checked, or had been before.
    pub fn outcome(&mut self, test: &Test, outcome: &Outcome, cached: bool) {
        self.counts.cached += usize::from(cached);
        let counter = match &outcome.verdict {
            verdict if verdict == Answer::Verified.name() => &mut self.counts.verified,
            verdict if verdict == Answer::Violation.name() => &mut self.counts.violations,
            _ => &mut self.counts.unknown,
        };
        *counter += 1;
        match self.manner.format {
            Format::Text => self.lines(test, outcome, cached),
            Format::Json => self.object("test", test, form(outcome, cached)),
        }
    }

    fn lines(&mut self, test: &Test, outcome: &Outcome, cached: bool) {
        let verified = outcome.verdict == Answer::Verified.name();
        if verified && self.manner.quiet {
            return;
        }
        self.under(test);
        let verdict = match &outcome.verdict {
            verdict if verified => self.style.good(verdict),
            verdict if verdict == Answer::Violation.name() => self.style.bad(verdict),
            verdict => self.style.doubtful(verdict),
        };
        let why = if outcome.why.is_empty() { String::new() } else { format!(": {}", outcome.why) };
        let cached = if cached { " (cached)" } else { "" };
        print(&format!("test {} ... {verdict}{why} ({}){cached}\n", test.name, outcome.counts()));
        indented(&outcome.details);
        if self.manner.trace && !outcome.tables.is_empty() {
            indented(&outcome.tables);
        }
    }

    /// Says which program's tests follow, where that is another one than before.
    fn under(&mut self, test: &Test) {
        if self.program != test.program {
            let line = if self.program.is_empty() { "" } else { "\n" };
            print(&format!("{line}{}\n", self.style.strong(&test.program)));
            self.program.clone_from(&test.program);
        }
    }

    fn object(&self, kind: &str, test: &Test, rest: serde_json::Value) {
        let mut object = json!({
            "type": kind, "name": test.name, "package": test.package, "target": test.target, "location": test.place,
        });
        if let (Some(object), serde_json::Value::Object(rest)) = (object.as_object_mut(), rest) {
            object.extend(rest);
        }
        print(&format!("{object}\n"));
    }

    /// How it all came out.
    pub fn end(&self) {
        let counts = self.counts;
        let seconds = self.begun.elapsed().as_secs_f64();
        if self.manner.format == Format::Json {
            let object = json!({
                "type": "summary", "tests": counts.checked(), "verified": counts.verified,
                "violations": counts.violations, "unknown": counts.unknown, "ignored": counts.ignored,
                "cached": counts.cached, "not_checked": counts.left, "seconds": (seconds * 1000.0).round() / 1000.0,
            });
            return print(&format!("{object}\n"));
        }
        let line = summary(&counts, seconds);
        let line = match counts {
            Counts { violations: 1.., .. } => self.style.bad(&line),
            Counts { unknown: 0, left: 0, .. } => self.style.good(&line),
            _ => self.style.doubtful(&line),
        };
        print(&format!("\n{line}\n"));
    }
}

/// One line with the numbers that are not zero.
fn summary(counts: &Counts, seconds: f64) -> String {
    let tests = if counts.checked() == 1 { "test" } else { "tests" };
    let cached = if counts.cached > 0 { format!(" ({} cached)", counts.cached) } else { String::new() };
    let mut line = format!("{} {tests} checked{cached}: {} verified", counts.checked(), counts.verified);
    let violations = if counts.violations == 1 { "with a violation" } else { "with violations" };
    let rest = [
        (counts.violations, violations),
        (counts.unknown, "unknown"),
        (counts.ignored, "ignored"),
        (counts.left, "not checked"),
    ];
    for (count, word) in rest.into_iter().filter(|(count, _)| *count > 0) {
        line.push_str(&format!(", {count} {word}"));
    }
    format!("{line}; {seconds:.1} s")
}

fn form(outcome: &Outcome, cached: bool) -> serde_json::Value {
    json!({
        "verdict": outcome.verdict, "violations": outcome.violations, "unknown": outcome.unknown,
        "remarks": outcome.remarks, "model": outcome.model, "executions": outcome.executions,
        "states": outcome.states, "seconds": outcome.seconds, "cached": cached,
    })
}

fn indented(text: &str) {
    let lines =
        text.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("  {line}\n") });
    print(&lines.collect::<String>());
}

#[test]
fn summaries() {
    let counts = Counts { verified: 3, ..Counts::default() };
    assert_eq!(summary(&counts, 1.23), "3 tests checked: 3 verified; 1.2 s");
    let counts = Counts { verified: 0, violations: 1, ignored: 2, cached: 1, ..counts };
    assert_eq!(
        summary(&counts, 0.0),
        "1 test checked (1 cached): 0 verified, 1 with a violation, 2 ignored; 0.0 s"
    );
}
