//! Violation witnesses: the competition's YAML, version 2.0.
//!
//! A witness says where the violation is. What orders the threads, and which values inputs have, that form has no words
//! for where it concerns threads, so both are in comments; the schedule file has all of it exactly.

use super::Specification;
use super::hash::sha256;
use selvedge_report::Found;
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
    let _ = writeln!(text, "  - segment:");
    let _ = writeln!(text, "    - waypoint:");
    let _ = writeln!(text, "        type: \"target\"");
    let _ = writeln!(text, "        action: \"follow\"");
    let _ = writeln!(text, "        location:");
    let place = found
        .violation
        .place
        .clone()
        .or_else(|| found.violation.doing.iter().find_map(|doing| doing.place.clone()));
    let file = hashes.first().map_or("", |(name, _)| name);
    let _ = writeln!(text, "          file_name: {}", quoted(file));
    if let Some(place) = place {
        let _ = writeln!(text, "          line: {}", place.line.max(1));
        if place.column > 0 {
            let _ = writeln!(text, "          column: {}", place.column);
        }
        if !place.function.is_empty() {
            let _ = writeln!(text, "          function: {}", quoted(&place.function));
        }
    } else {
        let _ = writeln!(text, "          line: 1");
    }
    Ok(text)
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
    use super::date;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01T00:00:00Z");
        assert_eq!(date(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(date(1_709_251_199), "2024-02-29T23:59:59Z");
    }
}
