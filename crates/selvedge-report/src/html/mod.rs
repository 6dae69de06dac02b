//! A report for the browser: one file that needs nothing else, neither a network nor other files.
//!
//! What is told is worked out here and put into the page as data; the page's own script lays it out. Everything that comes
//! from the program reaches the page as text, never as markup.

mod facts;
mod folds;
mod locks;
mod story;

use crate::text::{self, Detail};
use crate::{Answer, Check, Found, Style, Table, Unknown, Verdict, Violation};
pub(crate) use locks::held;
use selvedge_trace::Model;
use serde::Serialize;
use story::{Story, UnknownForm};

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The version of the form of the page's data.
const SCHEMA: u64 = 1;

/// A source file, as far as it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Source {
    /// Its name, as places have it.
    pub file: String,
    /// Its lines; where the file is long, only those near what happened.
    pub lines: Vec<(u32, String)>,
}

/// What a page says besides the result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// The program's name.
    pub program: String,
    /// The command that was typed.
    pub command: String,
    /// The program's source.
    pub sources: Vec<Source>,
}

/// A single run.
pub struct Run<'a> {
    pub verdict: &'a Verdict,
    pub model: Model,
    pub table: Table,
    /// The command that replays it, if there is one.
    pub replay: Option<&'a str>,
    /// How many steps it took.
    pub steps: u64,
}

#[derive(Serialize)]
struct Data<'a> {
    schema: u64,
    program: &'a str,
    command: &'a str,
    verdict: &'a str,
    /// What the verdict means, in a sentence.
    title: String,
    /// What was looked at: a heading and a sentence each.
    facts: Vec<(&'static str, String)>,
    stories: Vec<Story>,
    unknown: Vec<UnknownForm<'a>>,
    sources: &'a [Source],
}

/// The page about a check.
pub fn check(check: &Check, about: &About) -> String {
    let stories: Vec<Story> = check.violations.iter().map(story::of_found).collect();
    let title = match (check.verdict, check.violations.first()) {
        (Answer::Violation, Some(first)) if check.violations.len() == 1 => {
            first.violation.kind.title().to_owned()
        }
        (Answer::Violation, _) => format!("{} ways to go wrong", check.violations.len()),
        (Answer::Verified, _) if check.is_vacuous() => {
            "but no execution satisfies the assumptions, so nothing was shown".to_owned()
        }
        (Answer::Verified, _) => "no schedule breaks the program".to_owned(),
        (Answer::Unknown, _) => "not every schedule was covered".to_owned(),
    };
    let data = Data {
        schema: SCHEMA,
        program: &about.program,
        command: &about.command,
        verdict: check.verdict.name(),
        title,
        facts: facts::of_check(check),
        stories,
        unknown: check.unknown.iter().map(story::unknown).collect(),
        sources: &about.sources,
    };
    page(&data, &text::check(check, Detail::Brief, Style::default()))
}

/// The page about a single run.
pub fn run(run: &Run<'_>, about: &About) -> String {
    let table = run.table.clone();
    let (verdict, title, unknown, violation) = match run.verdict {
        Verdict::Ended(code) => ("ended", format!("the program ended, code {code}"), Vec::new(), None),
        Verdict::Violation(violation) => {
            ("violation", violation.kind.title().to_owned(), Vec::new(), Some(violation))
        }
        Verdict::Unknown(unknown) => ("unknown", unknown.what.clone(), vec![story::unknown(unknown)], None),
    };
    let text = plain(run, violation.map(|violation| &**violation));
    let data = Data {
        schema: SCHEMA,
        program: &about.program,
        command: &about.command,
        verdict,
        title,
        facts: facts::of_run(run.model, run.steps),
        stories: vec![story::of_run(violation.map(|violation| &**violation), table, run.replay)],
        unknown,
        sources: &about.sources,
    };
    page(&data, &text)
}

/// A run for browsers that run no scripts.
fn plain(run: &Run<'_>, violation: Option<&Violation>) -> String {
    let told = match (violation, run.verdict) {
        (Some(violation), _) => text::violation(violation, run.replay, Style::default()),
        (None, Verdict::Unknown(unknown)) => text::unknown(unknown, run.replay, Style::default()),
        (None, _) => String::new(),
    };
    format!("{}{told}", run.table.text(Style::default()))
}

/// The files that a page about a check would show.
pub fn files(check: &Check) -> Vec<(String, u32)> {
    let found = check.violations.iter().flat_map(places_of);
    found.chain(check.unknown.iter().flat_map(place_of_unknown)).collect()
}

/// The files that a page about a run would show: names and lines.
pub fn files_of_run(verdict: &Verdict, table: &Table) -> Vec<(String, u32)> {
    let mut files = places_of_table(table);
    match verdict {
        Verdict::Violation(violation) => files.extend(places_of_violation(violation)),
        Verdict::Unknown(unknown) => files.extend(place_of_unknown(unknown)),
        Verdict::Ended(_) => {}
    }
    files
}

fn places_of(found: &Found) -> Vec<(String, u32)> {
    let mut places = places_of_violation(&found.violation);
    places.extend(places_of_table(&found.trace));
    places
}

fn places_of_table(table: &Table) -> Vec<(String, u32)> {
    let places = table.rows.iter().filter_map(|row| row.place.as_ref());
    places.map(|place| (place.file.clone(), place.line)).collect()
}

fn places_of_violation(violation: &Violation) -> Vec<(String, u32)> {
    let stack = violation.stack.iter().filter(|line| !line.library).map(|line| &line.place);
    let leaks = violation.leaks.iter().filter_map(|leak| leak.place.as_ref());
    let doing = violation.doing.iter().filter_map(|doing| doing.place.as_ref());
    let waiting = violation.waiting.iter().filter_map(|waiting| waiting.place.as_ref());
    let all = violation.place.iter().chain(stack).chain(leaks).chain(doing).chain(waiting);
    all.map(|place| (place.file.clone(), place.line)).collect()
}

fn place_of_unknown(unknown: &Unknown) -> Option<(String, u32)> {
    unknown.place.as_ref().map(|place| (place.file.clone(), place.line))
}

fn page(data: &Data<'_>, plain: &str) -> String {
    let json = serde_json::to_string(data).expect("strings and numbers are always JSON");
    let title = format!("{}: {} - {}", data.verdict, data.title, data.program);
    let mut page = String::with_capacity(TEMPLATE.len() + STYLE.len() + SCRIPT.len() + json.len());
    let mut rest = TEMPLATE;
    while let Some((before, after)) = rest.split_once("{{") {
        page.push_str(before);
        let Some((name, after)) = after.split_once("}}") else { break };
        match name {
            "title" => page.push_str(&escaped(&title)),
            "style" => page.push_str(STYLE),
            "script" => page.push_str(SCRIPT),
            "data" => page.push_str(&in_script(&json)),
            "plain" => page.push_str(&escaped(plain)),
            other => unreachable!("the template has no place named {other}"),
        }
        rest = after;
    }
    page.push_str(rest);
    page
}

/// Text in HTML.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// JSON inside of an element for scripts: nothing in it can end that element, or begin a comment.
fn in_script(json: &str) -> String {
    let mut safe = String::with_capacity(json.len());
    for character in json.chars() {
        match character {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                safe.push_str(&format!("\\u{:04x}", character as u32));
            }
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests;
