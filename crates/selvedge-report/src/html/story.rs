//! One execution, as the page shows it.

use super::folds::{Fold, folds};
use super::locks::{Held, held};
use crate::{Found, Kind, Place, Style, Table, Unknown, Violation};
use serde::Serialize;

/// An execution, and what is wrong with it.
#[derive(Serialize)]
pub struct Story {
    title: String,
    /// What is wrong, in lines.
    message: Vec<String>,
    place: Option<Place>,
    thread: Option<String>,
    /// Calls that led there, who waits for what, what was never freed: in lines, with places where there are any.
    details: Vec<(String, Option<Place>)>,
    /// What the program was given, where that was searched for.
    inputs: Vec<(String, String)>,
    /// Whether other models show it.
    elsewhere: Option<String>,
    replay: Option<String>,
    threads: Vec<String>,
    rows: Vec<Step>,
    folds: Vec<Fold>,
    locks: Vec<Held>,
    /// The rows of the two accesses of a data race.
    #[serde(skip_serializing_if = "Option::is_none")]
    race: Option<[usize; 2]>,
    variables: Vec<VariableForm>,
}

/// One event.
#[derive(Serialize)]
struct Step {
    thread: usize,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<Place>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    detail: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    marked: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    remark: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    variable: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    read: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    buffered: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unseen: Option<usize>,
}

#[derive(Serialize)]
struct VariableForm {
    name: String,
    initial: Option<String>,
    /// Only libraries access it.
    detail: bool,
}

/// Why not everything was covered.
#[derive(Serialize)]
pub struct UnknownForm<'a> {
    what: &'a str,
    place: Option<&'a Place>,
    thread: Option<&'a str>,
    advice: &'a str,
}

pub fn unknown(unknown: &Unknown) -> UnknownForm<'_> {
    UnknownForm {
        what: &unknown.what,
        place: unknown.place.as_ref(),
        thread: unknown.thread.as_deref(),
        advice: &unknown.advice,
    }
}

/// What a check has found.
pub fn of_found(found: &Found) -> Story {
    let story = of_run(Some(&found.violation), found.trace.clone(), found.replay.as_deref());
    Story {
        inputs: found.inputs.clone(),
        elsewhere: crate::elsewhere::sentence(&found.elsewhere, found.violation.kind, Style::default()),
        ..story
    }
}

/// A single run, and what went wrong in it.
pub fn of_run(violation: Option<&Violation>, table: Table, replay: Option<&str>) -> Story {
    let folds = folds(&table.rows);
    let mut locks = held(&table.rows);
    // What libraries lock for themselves is of no interest.
    locks.retain(|held| !table.rows[held.first].detail);
    let only_detail = |variable: usize| {
        let mut rows = table.rows.iter().filter(|row| row.effect.variable == Some(variable));
        rows.all(|row| row.detail)
    };
    let variables = table.variables.iter().enumerate();
    let variables = variables
        .map(|(number, variable)| VariableForm {
            name: variable.name.clone(),
            initial: variable.initial.clone(),
            detail: only_detail(number),
        })
        .collect();
    let race = violation.and_then(|violation| race(violation, &table));
    let mut rows: Vec<Step> = table.rows.into_iter().map(step).collect();
    if let Some([first, second]) = race {
        let missing = match rows[first].place.as_ref().filter(|place| place.line != 0) {
            Some(place) => format!("{}:{}", place.file.rsplit('/').next().unwrap_or_default(), place.line),
            None => "the other access".to_owned(),
        };
        let told = "no lock, join, or pair of release and acquire leads from one to the other";
        rows[second].remark.get_or_insert(format!("nothing orders {missing} and this: {told}"));
    }
    Story {
        title: violation.map_or("execution", |violation| violation.kind.title()).to_owned(),
        message: violation.map_or(Vec::new(), |one| one.message.lines().map(str::to_owned).collect()),
        place: violation.and_then(|violation| violation.place.clone()),
        thread: violation.and_then(|violation| violation.thread.clone()),
        details: violation.map_or(Vec::new(), details),
        inputs: Vec::new(),
        elsewhere: None,
        replay: replay.map(str::to_owned),
        threads: table.threads,
        rows,
        folds,
        locks,
        race,
        variables,
    }
}

/// The rows of the two accesses of a data race: the last ones.
fn race(violation: &Violation, table: &Table) -> Option<[usize; 2]> {
    let second = table.rows.len().checked_sub(1)?;
    let first = second.checked_sub(1)?;
    let accesses = violation.kind == Kind::DataRace && violation.doing.len() == 2;
    let threads = table.rows[first].thread != table.rows[second].thread;
    (accesses && threads).then_some([first, second])
}

fn step(row: crate::Row) -> Step {
    Step {
        thread: row.thread,
        text: row.text,
        place: row.place,
        detail: row.detail,
        marked: row.marked,
        remark: row.remark,
        variable: row.effect.variable,
        read: row.effect.read,
        written: row.effect.written,
        buffered: row.effect.buffered,
        from: row.effect.from,
        unseen: row.effect.unseen,
    }
}

/// What the text report says below the message.
fn details(violation: &Violation) -> Vec<(String, Option<Place>)> {
    let mut details = Vec::new();
    for one in &violation.waiting {
        let holder = match &one.holder {
            Some(holder) if *holder == one.thread => ", which it already has".to_owned(),
            Some(holder) => format!(", which {holder} has"),
            None => String::new(),
        };
        details.push((format!("{} waits {}{holder}", one.thread, one.waits), one.place.clone()));
    }
    if let [first, .., _] = violation.cycle.as_slice() {
        let circle: Vec<&str> = violation.cycle.iter().chain([first]).map(String::as_str).collect();
        details.push((format!("they wait in a circle: {}", circle.join(" \u{2192} ")), None));
    }
    details.extend(
        violation.doing.iter().map(|one| (format!("{} {}", one.thread, one.does), one.place.clone())),
    );
    if violation.stack.len() > 1 {
        let own = violation.stack.iter().filter(|line| !line.library);
        details.extend(own.map(|line| (format!("in {}", line.place.function), Some(line.place.clone()))));
    }
    details.extend(violation.leaks.iter().map(|leak| {
        let told =
            format!("{} never freed, {} in all", plural(leak.blocks, "block"), plural(leak.bytes, "byte"));
        (told, leak.place.clone())
    }));
    details
}

fn plural(number: u64, what: &str) -> String {
    format!("{} {what}{}", crate::text::grouped(number), if number == 1 { "" } else { "s" })
}
