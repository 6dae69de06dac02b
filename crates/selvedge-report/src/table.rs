//! An execution as a table: one line an event, one column a thread.

use crate::{Effect, Place, Style, Variable};
use std::fmt::Write;

/// One event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Index of the thread in [`Table::threads`].
    pub thread: usize,
    /// Where in the user's own code.
    pub place: Option<Place>,
    /// What was done.
    pub text: String,
    /// The variable or object that it was about.
    pub subject: String,
    /// It is a detail of a library: neighbours of this kind are shown together.
    pub detail: bool,
    /// It is the row to look at.
    pub marked: bool,
    /// Why that was possible, where it is not obvious: shown below the row.
    pub remark: Option<String>,
    /// What it did to what threads share.
    pub effect: Effect,
}

impl Row {
    /// `file:line`, without the folders.
    pub fn at(&self) -> String {
        let Some(place) = &self.place else { return String::new() };
        let file = place.file.rsplit('/').next().unwrap_or_default();
        if place.line == 0 { file.to_owned() } else { format!("{file}:{}", place.line) }
    }

    /// Whether it tells the same as another one.
    pub fn reads_like(&self, other: &Row) -> bool {
        let told = |row: &Row| (row.thread, row.detail, row.marked);
        told(self) == told(other)
            && self.text == other.text
            && self.subject == other.subject
            && self.place == other.place
            && self.remark == other.remark
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// Names of the threads.
    pub threads: Vec<String>,
    /// What happened, in order.
    pub rows: Vec<Row>,
    /// The variables that rows tell of, by the numbers that they have in effects.
    pub variables: Vec<Variable>,
}

/// Narrower columns cannot be read.
const NARROWEST: usize = 18;
/// Longer places are cut at their beginning.
const LONGEST_PLACE: usize = 28;
/// So many rows are shown of an execution in brief, if so few are enough.
const BRIEF: usize = 40;
/// So many rows are shown on each side of a context switch where not all can be.
const AROUND: usize = 3;

/// A line of the table.
enum Line {
    Row(Box<Row>),
    /// Rows that are not shown.
    Gap(usize),
}

impl Line {
    fn of(row: Row) -> Self {
        Line::Row(Box::new(row))
    }

    fn row(&self) -> Option<&Row> {
        match self {
            Line::Row(row) => Some(row),
            Line::Gap(_) => None,
        }
    }
}

impl Table {
    /// The whole table as text: columns if they fit into the width, else a list.
    pub fn text(&self, style: Style) -> String {
        self.show(&fold(&self.rows).into_iter().map(Line::of).collect::<Vec<_>>(), style)
    }

    /// What is needed to understand how the execution came to its end: no details of libraries, and of long stretches
    /// of one thread only their beginnings and ends.
    pub fn brief(&self, style: Style) -> String {
        let rows = repeated(self.rows.iter().filter(|row| !row.detail));
        self.show(&shortened(rows), style)
    }

    fn show(&self, lines: &[Line], style: Style) -> String {
        let rows = || lines.iter().filter_map(Line::row);
        let places = rows().map(|row| row.at().chars().count()).max().unwrap_or(0).min(LONGEST_PLACE);
        let present: Vec<usize> =
            (0..self.threads.len()).filter(|thread| rows().any(|row| row.thread == *thread)).collect();
        let marks = if rows().any(|row| row.marked) { 2 } else { 0 };
        let room = style.width.saturating_sub(places + marks);
        let column = room / present.len().max(1);
        let layout = Layout { present, places, marks, width: column.saturating_sub(2), style };
        if column >= NARROWEST + 2 { self.columns(lines, &layout) } else { self.list(lines, &layout) }
    }

    fn columns(&self, lines: &[Line], layout: &Layout) -> String {
        let Layout { present, places, marks, width, style } = layout;
        let mut text = " ".repeat(places + marks);
        for &thread in present {
            let _ = write!(text, "  {}", style.strong(&padded(&self.threads[thread], *width)));
        }
        end_line(&mut text);
        for line in lines {
            let Some(row) = layout.begin(&mut text, line) else { continue };
            let before = present.iter().position(|thread| *thread == row.thread).unwrap_or(0);
            text.push_str(&" ".repeat(before * (width + 2) + 2));
            // The last column may be as wide as the line.
            let room = if before + 1 == present.len() { *width } else { width * 2 + 2 };
            layout.tell(&mut text, row, if row.detail { room.min(*width) } else { room });
        }
        text
    }

    fn list(&self, lines: &[Line], layout: &Layout) -> String {
        let names = layout.present.iter().map(|thread| self.threads[*thread].chars().count());
        let names = names.max().unwrap_or(0);
        let mut text = String::new();
        for line in lines {
            let Some(row) = layout.begin(&mut text, line) else { continue };
            let taken = layout.places + layout.marks + names + 4;
            let _ = write!(text, "  {}  ", layout.style.strong(&padded(&self.threads[row.thread], names)));
            layout.tell(&mut text, row, layout.style.width.saturating_sub(taken).max(NARROWEST));
        }
        text
    }
}

/// How the lines of a table are laid out.
struct Layout {
    /// The threads that occur.
    present: Vec<usize>,
    /// Characters for places.
    places: usize,
    /// Characters for marks.
    marks: usize,
    /// Characters of a column.
    width: usize,
    style: Style,
}

impl Layout {
    /// The mark and the place, and the row that is still to be told; a gap is told here.
    fn begin<'a>(&self, text: &mut String, line: &'a Line) -> Option<&'a Row> {
        match line {
            Line::Gap(rows) => {
                let note = format!("... {rows} more");
                let _ = writeln!(text, "{}{}", " ".repeat(self.marks), self.style.weak(&note));
                None
            }
            Line::Row(row) => {
                match (self.marks, row.marked) {
                    (0, _) => {}
                    (_, true) => text.push_str(&self.style.bad("> ")),
                    (_, false) => text.push_str("  "),
                }
                text.push_str(&self.style.weak(&padded(&cut_front(&row.at(), self.places), self.places)));
                Some(row)
            }
        }
    }

    fn tell(&self, text: &mut String, row: &Row, room: usize) {
        let told = cut(&row.text, room);
        text.push_str(&if row.marked { self.style.bad(&told) } else { told });
        end_line(text);
        self.remark(text, row);
    }

    /// The row's remark, whole, in lines of their own.
    fn remark(&self, text: &mut String, row: &Row) {
        let Some(remark) = &row.remark else { return };
        let indent = self.marks + self.places + 2;
        let room = self.style.width.saturating_sub(indent + 2).max(2 * NARROWEST);
        for (number, line) in wrapped(remark, room).iter().enumerate() {
            let bullet = if number == 0 { "^ " } else { "  " };
            let line = self.style.weak(&format!("{bullet}{line}"));
            let _ = writeln!(text, "{}{line}", " ".repeat(indent));
        }
    }
}

/// Puts neighbours that are the same together: a thread that waits in a loop does the same again and again.
fn repeated<'a>(rows: impl Iterator<Item = &'a Row>) -> Vec<Row> {
    let mut together: Vec<(Row, usize)> = Vec::new();
    for row in rows {
        match together.last_mut() {
            Some((last, count)) if last.reads_like(row) => *count += 1,
            _ => together.push((row.clone(), 1)),
        }
    }
    let told = |(row, count): (Row, usize)| match count {
        1 => row,
        _ => Row { text: format!("{} ({count} times)", row.text), ..row },
    };
    together.into_iter().map(told).collect()
}

/// Leaves out the middle of long stretches of one thread, and then the earliest rows, until what is left is brief.
fn shortened(rows: Vec<Row>) -> Vec<Line> {
    if rows.len() <= BRIEF {
        return rows.into_iter().map(Line::of).collect();
    }
    let switches: Vec<usize> =
        (1..rows.len()).filter(|&at| rows[at].thread != rows[at - 1].thread).chain([rows.len()]).collect();
    let near = |at: usize| switches.iter().any(|&switch| at + AROUND >= switch && at < switch + AROUND);
    let mut kept: Vec<bool> = (0..rows.len()).map(|at| rows[at].marked || near(at)).collect();
    let mut left = BRIEF;
    for kept in kept.iter_mut().rev().filter(|kept| **kept) {
        *kept = left > 0;
        left = left.saturating_sub(1);
    }
    let mut lines = Vec::new();
    for (row, kept) in rows.into_iter().zip(kept) {
        match (kept, lines.last_mut()) {
            (true, _) => lines.push(Line::of(row)),
            (false, Some(Line::Gap(count))) => *count += 1,
            (false, _) => lines.push(Line::Gap(1)),
        }
    }
    lines
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
                groups.iter_mut().find(|(first, ..)| first.thread == row.thread && first.at() == row.at());
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

/// The text in lines that are no longer than that, if its words are not.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
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

    fn row(thread: usize, line: u32, text: &str, detail: bool) -> Row {
        let subject = if detail { text.to_owned() } else { String::new() };
        let place = Place { file: "src/a.c".into(), line, column: 1, function: "f".into() };
        Row { thread, place: Some(place), text: text.into(), subject, detail, ..Row::default() }
    }

    fn table() -> Table {
        Table {
            threads: vec!["main".into(), "main.1".into(), "main.2".into()],
            rows: vec![
                row(0, 9, "creates main.1", false),
                row(1, 3, "x = 1", false),
                row(1, 4, "state", true),
                row(1, 4, "state", true),
                row(0, 10, "reads x = 1, and that is a long story which does not fit into one column", false),
            ],
            variables: Vec::new(),
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
            a.c:9   main    creates main.1
            a.c:3   main.1  x = 1
            a.c:4   main.1  ... 2 library events (..
            a.c:10  main    reads x = 1, and that ..
        "#]]
        .assert_eq(&table().text(Style { colour: false, width: 40 }));
    }

    #[test]
    fn remarks_are_whole() {
        let mut table = table();
        let remark = "reads what was there at first, not the store at a.c:3 by main.1: nothing orders a.c:3 before a.c:10";
        table.rows[4].remark = Some(remark.to_owned());
        table.rows.truncate(5);
        table.rows.drain(1..4);
        expect![[r#"
                    main
            a.c:9   creates main.1
            a.c:10  reads x = 1, and that is a long story which does n..
                    ^ reads what was there at first, not the store at
                      a.c:3 by main.1: nothing orders a.c:3 before
                      a.c:10
        "#]]
        .assert_eq(&table.text(Style { colour: false, width: 60 }));
    }

    #[test]
    fn in_brief_without_details() {
        let mut table = table();
        table.rows[4].marked = true;
        table.rows.insert(2, table.rows[1].clone());
        expect![[r#"
                      main                      main.1
              a.c:9   creates main.1
              a.c:3                             x = 1 (2 times)
            > a.c:10  reads x = 1, and that is a long story which does..
        "#]]
        .assert_eq(&table.brief(Style { colour: false, width: 60 }));
    }

    #[test]
    fn in_brief_without_the_middle_of_long_stretches() {
        let mut table = table();
        table.rows = (0..60).map(|line| row(usize::from(line >= 50), line + 1, "x", false)).collect();
        expect![[r#"
                    main                       main.1
            ... 47 more
            a.c:48  x
            a.c:49  x
            a.c:50  x
            a.c:51                             x
            a.c:52                             x
            a.c:53                             x
            ... 4 more
            a.c:58                             x
            a.c:59                             x
            a.c:60                             x
        "#]]
        .assert_eq(&table.brief(Style { colour: false, width: 60 }));
    }
}
