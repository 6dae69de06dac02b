//! The end of an execution's table: what went wrong, in the column of the thread in which it did.

use super::execute::Execution;
use super::places::thread_name;
use selvedge_report::{Place, Row, Table, Verdict, Violation};

/// The execution as a table. Its run must have been told to keep words.
pub fn table(execution: &mut Execution, verdict: &Verdict) -> Table {
    let threads: Vec<String> =
        (0..execution.machine.threads().len()).map(|index| thread_name(&execution.machine, index)).collect();
    let mut rows = std::mem::take(&mut execution.rows);
    let variables = std::mem::take(&mut execution.effects).into_variables();
    if let Verdict::Violation(violation) = verdict {
        rows.extend(closing(violation, &threads));
    }
    Table { threads, rows, variables }
}

/// One row for each thread that has a part in it; the last of them, or that of the thread in which it happened, is
/// the one to look at.
fn closing(violation: &Violation, threads: &[String]) -> Vec<Row> {
    let row = |thread: &str, text: String, place: &Option<Place>| {
        let thread = threads.iter().position(|name| name == thread)?;
        Some(Row { thread, place: place.clone(), text, ..Row::default() })
    };
    let waiting = violation
        .waiting
        .iter()
        .filter_map(|one| row(&one.thread, format!("waits {}", one.waits), &one.place));
    let doing = violation.doing.iter().filter_map(|one| row(&one.thread, one.does.clone(), &one.place));
    let mut rows: Vec<Row> = waiting.chain(doing).collect();
    if rows.is_empty() {
        let thread = violation.thread.as_deref().or(threads.first().map(String::as_str)).unwrap_or_default();
        rows.extend(row(thread, violation.kind.title().to_owned(), &violation.place));
    }
    let at = violation.cycle.last().and_then(|last| {
        let last = threads.iter().position(|name| name == last)?;
        rows.iter().position(|row| row.thread == last)
    });
    let at = at.unwrap_or(rows.len().saturating_sub(1));
    if let Some(row) = rows.get_mut(at) {
        row.marked = true;
    }
    rows
}
