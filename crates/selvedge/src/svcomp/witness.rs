//! Violation witnesses: the competition's YAML, version 2.0.
//!
//! A witness says which values inputs have, which functions threads begin with, and where the violation is: segments that
//! an execution passes in this order. The format has no words for which thread acts, so that is in comments; the schedule
//! file has all of it exactly.

use super::Specification;
use super::hash::sha256;
use selvedge_report::{Found, Kind, Place};
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Writes the witness of a violation.
pub fn write(
    file: &Path,
    specification: &Specification,
    sources: &[PathBuf],
    found: &Found,
) -> io::Result<()> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    std::fs::write(file, text(specification, sources, found, now)?)
}

fn text(specification: &Specification, sources: &[PathBuf], found: &Found, now: u64) -> io::Result<String> {
    let mut text = String::new();
    let time = date(now);
    let mut hashes = Vec::new();
    for source in sources {
        hashes.push((source.display().to_string(), sha256(&std::fs::read(source)?)));
    }
    let identity = sha256(format!("{time}{hashes:?}{}", found.violation.message).as_bytes());
    let part = |from: usize, to: usize| &identity[from..to];
    let uuid = format!("{}-{}-4{}-a{}-{}", part(0, 8), part(8, 12), part(13, 16), part(17, 20), part(20, 32));
    let _ = writeln!(text, "- entry_type: \"violation_sequence\"");
    let _ = writeln!(text, "  metadata:");
    let _ = writeln!(text, "    format_version: \"2.0\"");
    let _ = writeln!(text, "    uuid: \"{uuid}\"");
    let _ = writeln!(text, "    creation_time: \"{time}\"");
    let _ = writeln!(text, "    producer:");
    let _ = writeln!(text, "      name: \"Selvedge\"");
    let _ = writeln!(text, "      version: \"{}\"", env!("CARGO_PKG_VERSION"));
    let _ = writeln!(text, "    task:");
    let _ = writeln!(text, "      input_files:");
    for (name, _) in &hashes {
        let _ = writeln!(text, "      - {}", quoted(name));
    }
    let _ = writeln!(text, "      input_file_hashes:");
    for (name, hash) in &hashes {
        let _ = writeln!(text, "        {}: \"{hash}\"", quoted(name));
    }
    let formula: Vec<&str> = specification.text.split_whitespace().collect();
    let _ = writeln!(text, "      specification: {}", quoted(&formula.join(" ")));
    let _ = writeln!(text, "      data_model: \"LP64\"");
    let _ = writeln!(text, "      language: \"C\"");
    for (name, value) in &found.inputs {
        let _ = writeln!(text, "  # input {name} = {value}");
    }
    for row in found.trace.rows.iter().filter(|row| !row.detail) {
        let thread = found.trace.threads.get(row.thread).map_or("", String::as_str);
        let line = row.place.as_ref().map_or(0, |place| place.line);
        let _ = writeln!(text, "  # {thread}, line {line}: {}", row.text.escape_debug());
    }
    let _ = writeln!(text, "  content:");
    let file = hashes.first().map_or("", |(name, _)| name);
    let named = |place: &Place| {
        let found = hashes.iter().find(|(name, _)| Path::new(name) == Path::new(&place.file));
        found.map_or(file, |(name, _)| name).to_owned()
    };
    for asked in &found.asked {
        if let Some(place) = &asked.place
            && let Some((line, column)) = end_of_call(place)
        {
            // The value that a call returns is known where the call ends.
            let value = format!("\\result == {}", asked.value);
            let constraint = Some((value.as_str(), "acsl_expression"));
            waypoint(
                &mut text,
                "function_return",
                constraint,
                (&named(place), line, column, &place.function),
            );
        }
    }
    let violation = &found.violation;
    let doing = violation.doing.iter().rev().find_map(|doing| doing.place.clone());
    let waiting = violation.waiting.iter().find_map(|waiting| waiting.place.clone());
    let place = match violation.kind {
        // The execution goes wrong at the later one of two accesses.
        Kind::DataRace => doing.or(violation.place.clone()),
        _ => violation.place.clone().or(doing).or(waiting),
    };
    match place {
        Some(place) => {
            let at = (&*named(&place), place.line.max(1), place.column, &*place.function);
            waypoint(&mut text, "target", None, at);
        }
        None => waypoint(&mut text, "target", None, (file, 1, 0, "")),
    }
    Ok(text)
}

/// A segment that an execution passes where this waypoint is passed.
fn waypoint(
    text: &mut String,
    kind: &str,
    constraint: Option<(&str, &str)>,
    (file, line, column, function): (&str, u32, u32, &str),
) {
    let _ = writeln!(text, "  - segment:\n    - waypoint:");
    let _ = writeln!(text, "        type: \"{kind}\"\n        action: \"follow\"");
    if let Some((value, format)) = constraint {
        let _ = writeln!(text, "        constraint:");
        let _ = writeln!(text, "          value: {}\n          format: \"{format}\"", quoted(value));
    }
    let _ = writeln!(text, "        location:");
    let _ = writeln!(text, "          file_name: {}\n          line: {line}", quoted(file));
    if column > 0 {
        let _ = writeln!(text, "          column: {column}");
    }
    if !function.is_empty() {
        let _ = writeln!(text, "          function: {}", quoted(function));
    }
}

/// Line and column of the closing parenthesis of a call that begins at a place; nothing if none begins there.
fn end_of_call(place: &Place) -> Option<(u32, u32)> {
    let source = std::fs::read_to_string(&place.file).ok()?;
    closing(&source, place.line, place.column)
}

fn closing(source: &str, line: u32, column: u32) -> Option<(u32, u32)> {
    let mut depth = 0;
    let lines = source.lines().enumerate().skip(line.checked_sub(1)? as usize);
    for (number, text) in lines {
        let first = number as u32 + 1 == line;
        let skipped = if first { column.saturating_sub(1) as usize } else { 0 };
        for (at, byte) in text.bytes().enumerate().skip(skipped) {
            match byte {
                b'(' => depth += 1,
                b')' if depth <= 1 => return (depth == 1).then_some((number as u32 + 1, at as u32 + 1)),
                b')' => depth -= 1,
                b';' if depth == 0 => return None,
                _ => {}
            }
        }
    }
    None
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A moment as ISO 8601 has it, from seconds since 1970.
fn date(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Years that begin in March, so that a day is added at their end.
    let shifted = days + 719_468;
    let (era, day) = (shifted / 146_097, shifted % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, month) = (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    let year = year + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::{closing, date};

    #[test]
    fn calls_end_at_their_parenthesis() {
        let source = "int x =\n  f(g(1), (2));\nreturn;\nh(\n  3);\n";
        assert_eq!(closing(source, 2, 3), Some((2, 14)));
        assert_eq!(closing(source, 2, 5), Some((2, 8)), "an inner call");
        assert_eq!(closing(source, 3, 1), None);
        assert_eq!(closing(source, 4, 1), Some((5, 4)));
        assert_eq!(closing(source, 9, 1), None);
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01T00:00:00Z");
        assert_eq!(date(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(date(1_709_251_199), "2024-02-29T23:59:59Z");
    }
}
