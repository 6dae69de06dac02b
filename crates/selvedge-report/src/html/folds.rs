//! Which rows of an execution are shown only when they are asked for.

use crate::Row;
use serde::Serialize;
use std::collections::BTreeSet;

/// A stretch of rows of one thread that is one line until it is opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fold {
    /// The first row.
    pub first: usize,
    /// The last row.
    pub last: usize,
    /// What stands there instead.
    pub label: String,
}

/// Stretches of a thread that are longer than this are shortened.
const LONG: usize = 14;
/// So many rows are left at both ends of a stretch.
const AROUND: usize = 4;
/// Fewer rows than this are not worth a fold.
const WORTH: usize = 3;

/// The folds of an execution, in order: details of libraries, and the middle of long stretches of one thread.
pub fn folds(rows: &[Row]) -> Vec<Fold> {
    let kept = kept(rows);
    let mut folds = Vec::new();
    let mut at = 0;
    while at < rows.len() {
        let alike = |other: &Row| other.thread == rows[at].thread && other.detail == rows[at].detail;
        let length = rows[at..].iter().take_while(|row| alike(row)).count();
        if rows[at].detail {
            folds.push(library(rows, at, length));
        } else if length > LONG {
            folds.extend(middle(&kept, at + AROUND, at + length - AROUND));
        }
        at += length;
    }
    folds
}

/// Rows that are always shown: the one to look at, what is weak, and both ends of values that go from thread to thread.
fn kept(rows: &[Row]) -> BTreeSet<usize> {
    let mut kept = BTreeSet::new();
    for (at, row) in rows.iter().enumerate() {
        if row.marked || row.remark.is_some() {
            kept.insert(at);
        }
        let sources = [row.effect.from, row.effect.unseen].into_iter().flatten();
        for source in sources.filter(|&source| rows.get(source).is_some_and(|one| one.thread != row.thread)) {
            kept.extend([at, source]);
        }
    }
    kept
}

fn library(rows: &[Row], first: usize, length: usize) -> Fold {
    let events = if length == 1 { "library event" } else { "library events" };
    let mut subjects: Vec<&str> = Vec::new();
    for row in rows[first..first + length].iter().filter(|row| !row.subject.is_empty()) {
        if !subjects.contains(&row.subject.as_str()) {
            subjects.push(&row.subject);
        }
    }
    let about =
        if (1..=2).contains(&subjects.len()) { format!(" ({})", subjects.join(", ")) } else { String::new() };
    Fold { first, last: first + length - 1, label: format!("{length} {events}{about}") }
}

/// The stretches between rows that are kept.
fn middle(kept: &BTreeSet<usize>, from: usize, to: usize) -> Vec<Fold> {
    let mut folds = Vec::new();
    let mut first = from;
    for end in kept.range(from..to).copied().chain([to]) {
        if end - first >= WORTH {
            folds.push(Fold { first, last: end - 1, label: format!("{} more", end - first) });
        }
        first = end + 1;
    }
    folds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Effect;

    fn row(thread: usize, detail: bool) -> Row {
        Row { thread, detail, ..Row::default() }
    }

    fn told(rows: &[Row]) -> Vec<(usize, usize, String)> {
        folds(rows).into_iter().map(|fold| (fold.first, fold.last, fold.label)).collect()
    }

    #[test]
    fn details_and_long_stretches_are_folded() {
        let mut rows = vec![row(0, false), row(0, true), row(0, true), row(1, true)];
        assert_eq!(told(&rows), [(1, 2, "2 library events".into()), (3, 3, "1 library event".into())]);
        rows = (0..20).map(|_| row(0, false)).collect();
        assert_eq!(told(&rows), [(4, 15, "12 more".into())]);
        assert_eq!(told(&rows[..14]), []);
    }

    #[test]
    fn what_matters_is_not_folded() {
        let mut rows: Vec<Row> = (0..20).map(|_| row(0, false)).collect();
        rows[9].remark = Some("why".into());
        rows.push(Row { effect: Effect { from: Some(13), ..Effect::default() }, ..row(1, false) });
        assert_eq!(told(&rows), [(4, 8, "5 more".into()), (10, 12, "3 more".into())]);
    }
}
