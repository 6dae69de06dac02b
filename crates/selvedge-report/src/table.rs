//! An execution as a table: one line an event, one column a thread.

use crate::Style;
use std::fmt::Write;

/// One event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Index of the thread in [`Table::threads`].
    pub thread: usize,
    /// `file:line` in the user's own code.
    pub place: String,
    /// What was done.
    pub text: String,
    /// The variable or object that it was about.
    pub subject: String,
    /// It is a detail of a library: neighbours of this kind are shown together.
    pub detail: bool,
}

/// An execution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// Names of the threads.
    pub threads: Vec<String>,
    /// What happened, in order.
    pub rows: Vec<Row>,
}

/// Narrower columns cannot be read.
const NARROWEST: usize = 18;
/// Longer places are cut at their beginning.
const LONGEST_PLACE: usize = 28;

impl Table {
    /// The table as text: columns if they fit into the width, else a list.
    pub fn text(&self, style: Style) -> String {
        let rows = fold(&self.rows);
        let places = rows.iter().map(|row| row.place.chars().count()).max().unwrap_or(0).min(LONGEST_PLACE);
        let present: Vec<usize> =
            (0..self.threads.len()).filter(|thread| rows.iter().any(|row| row.thread == *thread)).collect();
        let room = style.width.saturating_sub(places);
        let column = room / present.len().max(1);
        if column >= NARROWEST + 2 {
            self.columns(&rows, &present, places, column - 2, style)
        } else {
            self.list(&rows, &present, places, style)
        }
    }

    fn columns(&self, rows: &[Row], present: &[usize], places: usize, width: usize, style: Style) -> String {
        let mut text = " ".repeat(places);
        for &thread in present {
            let _ = write!(text, "  {}", style.strong(&padded(&self.threads[thread], width)));
        }
        end_line(&mut text);
        for row in rows {
            text.push_str(&style.weak(&padded(&cut_front(&row.place, places), places)));
            let before = present.iter().position(|thread| *thread == row.thread).unwrap_or(0);
            text.push_str(&" ".repeat(before * (width + 2) + 2));
            // The last column may be as wide as the line.
            let room = if before + 1 == present.len() { width } else { width * 2 + 2 };
            text.push_str(&cut(&row.text, if row.detail { room.min(width) } else { room }));
            end_line(&mut text);
        }
        text
    }

    fn list(&self, rows: &[Row], present: &[usize], places: usize, style: Style) -> String {
        let names = present.iter().map(|thread| self.threads[*thread].chars().count()).max().unwrap_or(0);
        let mut text = String::new();
        for row in rows {
            let room = style.width.saturating_sub(places + names + 4).max(NARROWEST);
            text.push_str(&style.strong(&padded(&self.threads[row.thread], names)));
            text.push_str("  ");
            text.push_str(&style.weak(&padded(&cut_front(&row.place, places), places)));
            text.push_str("  ");
            text.push_str(&cut(&row.text, room));
            end_line(&mut text);
        }
        text
    }
}

/// Puts the details of a stretch without anything else together: one row for each thread and place.
fn fold(rows: &[Row]) -> Vec<Row> {
    let mut folded = Vec::new();
    let mut rest = rows;
    while let Some((row, after)) = rest.split_first() {
        if !row.detail {
            folded.push(row.clone());
            rest = after;
            continue;
        }
        let (stretch, after) = rest.split_at(rest.iter().take_while(|row| row.detail).count());
        let mut groups: Vec<(&Row, usize, Vec<&str>)> = Vec::new();
        for row in stretch {
            let group =
                groups.iter_mut().find(|(first, ..)| first.thread == row.thread && first.place == row.place);
            let group = match group {
                Some(group) => group,
                None => {
                    groups.push((row, 0, Vec::new()));
                    groups.last_mut().expect("just pushed")
                }
            };
            group.1 += 1;
            if !row.subject.is_empty() && !group.2.contains(&row.subject.as_str()) {
                group.2.push(&row.subject);
            }
        }
        folded.extend(groups.into_iter().map(|(row, count, subjects)| {
            let events = if count == 1 { "library event" } else { "library events" };
            let mut text = format!("... {count} {events}");
            if (1..=2).contains(&subjects.len()) {
                let _ = write!(text, " ({})", subjects.join(", "));
            }
            Row { text, ..row.clone() }
        }));
        rest = after;
    }
    folded
}

fn end_line(text: &mut String) {
    text.truncate(text.trim_end_matches(' ').len());
    text.push('\n');
}

fn padded(text: &str, width: usize) -> String {
    let text = cut(text, width);
    format!("{text:<width$}")
}

/// The text, shortened at its end.
fn cut(text: &str, width: usize) -> String {
    match text.chars().count() {
        length if length <= width => text.to_owned(),
        _ => text.chars().take(width.saturating_sub(2)).chain("..".chars()).collect(),
    }
}

/// The text, shortened at its beginning.
fn cut_front(text: &str, width: usize) -> String {
    match text.chars().count() {
        length if length <= width => text.to_owned(),
        length => "..".chars().chain(text.chars().skip(length + 2 - width.max(2))).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn row(thread: usize, place: &str, text: &str, detail: bool) -> Row {
        let subject = if detail { text.to_owned() } else { String::new() };
        Row { thread, place: place.into(), text: text.into(), subject, detail }
    }

    fn table() -> Table {
        Table {
            threads: vec!["main".into(), "main.1".into(), "main.2".into()],
            rows: vec![
                row(0, "a.c:9", "creates main.1", false),
                row(1, "a.c:3", "x = 1", false),
                row(1, "a.c:4", "state", true),
                row(1, "a.c:4", "state", true),
                row(
                    0,
                    "a.c:10",
                    "reads x = 1, and that is a long story which does not fit into one column",
                    false,
                ),
            ],
        }
    }

    #[test]
    fn one_column_a_thread() {
        expect![[r#"
                    main                       main.1
            a.c:9   creates main.1
            a.c:3                              x = 1
            a.c:4                              ... 2 library events (s..
            a.c:10  reads x = 1, and that is a long story which does n..
        "#]]
        .assert_eq(&table().text(Style { colour: false, width: 60 }));
    }

    #[test]
    fn a_list_where_columns_do_not_fit() {
        expect![[r#"
            main    a.c:9   creates main.1
            main.1  a.c:3   x = 1
            main.1  a.c:4   ... 2 library events (..
            main    a.c:10  reads x = 1, and that ..
        "#]]
        .assert_eq(&table().text(Style { colour: false, width: 40 }));
    }
}
