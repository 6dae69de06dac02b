//! The table in a file: rows of clients that are run again replace what was there, so that it can be made in parts.

use super::Plan;
use super::client::{Client, Kind};
use std::collections::BTreeMap;
use std::path::Path;

/// What the columns are.
const HEAD: &str =
    "| client | library | verdict | looked at | seconds | native runs | failures | agreement |";
/// Position of the verdict among a row's cells.
const VERDICT: usize = 2;
/// Position of how often a client was run natively.
const RUNS: usize = 5;
/// Position of whether the verdict agrees with the native runs.
const AGREEMENT: usize = 7;

/// The first lines of a table.
pub fn head() -> String {
    format!("{HEAD}\n|{}", "---|".repeat(HEAD.matches('|').count() - 1))
}

/// The cells of a row.
fn cells(row: &str) -> Vec<&str> {
    row.trim_matches('|').split('|').map(str::trim).collect()
}

/// Enters rows into the table of a file, which is made if it is not there.
pub fn enter(
    file: &Path,
    clients: &[Client],
    rows: &[String],
    plan: &Plan,
    date: &str,
) -> Result<(), String> {
    let before = std::fs::read_to_string(file).unwrap_or_default();
    std::fs::write(file, text(&before, clients, rows, plan, date))
        .map_err(|error| format!("{}: {error}", file.display()))
}

/// The file's new text.
fn text(before: &str, clients: &[Client], rows: &[String], plan: &Plan, date: &str) -> String {
    let lines = before.lines().chain(rows.iter().map(String::as_str));
    let all: BTreeMap<&str, &str> =
        lines.filter(|line| line.starts_with('|')).map(|line| (cells(line)[0], line)).collect();
    let section = |client: &Client| match client.kind {
        Kind::Rust => 0,
        Kind::C | Kind::Cpp => 1,
        Kind::Old(_) => 2,
    };
    let of = |wanted: usize| {
        let kept = clients.iter().filter(move |client| section(client) == wanted);
        kept.filter_map(|client| all.get(client.name.as_str()).copied()).collect::<Vec<_>>()
    };
    let mut text = format!(
        "# Clients of public libraries\n\n{date}, `selvedge-fuzz clients --seconds {} --runs {} --table FILE`: what a check with \
         default\nsettings says of the programs in `clients` beside native runs with random delays. `unknown` contradicts \
         nothing.\n",
        plan.seconds, plan.runs
    );
    let titles =
        ["Rust", "C and C++", "Known bugs in old versions of crates, and the versions that mend them"];
    for (title, rows) in titles.into_iter().zip((0..).map(of)) {
        if !rows.is_empty() {
            text.push_str(&format!("\n## {title}\n\n{}\n{}\n\n{}\n", head(), rows.join("\n"), sums(&rows)));
        }
    }
    text
}

/// How many clients there are of each verdict.
fn sums(rows: &[&str]) -> String {
    let mut verdicts: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut native, mut wrong) = (0, 0);
    for row in rows {
        let cells = cells(row);
        let cell = |position: usize| cells.get(position).copied().unwrap_or_default();
        *verdicts.entry(cell(VERDICT).split(':').next().unwrap_or_default()).or_default() += 1;
        native += usize::from(!cell(RUNS).is_empty());
        wrong += usize::from(cell(AGREEMENT) != "yes");
    }
    let verdicts: Vec<String> =
        verdicts.iter().rev().map(|(verdict, count)| format!("{count} {verdict}")).collect();
    format!(
        "{} clients: {}. Run natively: {native}. Not in agreement: {wrong}.",
        rows.len(),
        verdicts.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(name: &str, kind: Kind) -> Client {
        Client {
            name: name.to_owned(),
            library: String::new(),
            kind,
            path: name.into(),
            flags: Vec::new(),
            options: Vec::new(),
            expect: None,
        }
    }

    #[test]
    fn parts_make_one_table() {
        let clients = [client("a", Kind::Rust), client("b", Kind::Rust), client("c", Kind::C)];
        let plan = Plan { only: String::new(), seconds: 10, runs: 5, table: None };
        let row = |name: &str, verdict: &str, agreement: &str| {
            format!("| {name} | l 1 | {verdict} | 2 states | 0.1 | 5 |  | {agreement} |")
        };
        let first =
            [row("b", "unknown: why", "yes"), row("a", "verified", "yes"), row("c", "verified", "yes")];
        let before = text("", &clients, &first, &plan, "2000-01-01");
        let after = text(&before, &clients, &[row("b", "verified", "no")], &plan, "2000-01-02");
        assert!(before.contains("2 clients: 1 verified, 1 unknown. Run natively: 2. Not in agreement: 0."));
        assert!(after.contains("2 clients: 2 verified. Run natively: 2. Not in agreement: 1."), "{after}");
        assert!(after.contains("1 clients: 1 verified. Run natively: 1. Not in agreement: 0."), "{after}");
        assert!(after.find("| a |") < after.find("| b |"), "{after}");
        assert!(after.contains("2000-01-02") && !after.contains("2000-01-01"), "{after}");
    }
}
