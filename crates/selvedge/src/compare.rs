//! Several strategies on one program, side by side.

use crate::check::{self, Settings};
use crate::run::prepare::Prepared;
use selvedge_explore::{Progress, Strategy};
use selvedge_report::text::grouped;
use selvedge_report::{Answer, Check};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// What one strategy says.
pub struct Row {
    pub strategy: Strategy,
    /// What came out.
    pub result: Check,
    /// Bytes that the search took beyond what the process had before; nothing if it was over too soon to tell.
    pub memory: Option<u64>,
}

/// What all of them say.
pub struct Comparison {
    /// In the order that was asked for.
    pub rows: Vec<Row>,
    /// Where two complete strategies contradict each other: each one a bug of Selvedge.
    pub contradictions: Vec<String>,
}

/// What is compared unless something else is asked for: what is complete, but for variants of the same.
pub fn usual() -> Vec<Strategy> {
    Strategy::all_that(|row| row.abilities.compared).collect()
}

/// How long strategies that go through views may take at least, where the user has not asked for them.
const PATIENCE: Duration = Duration::from_secs(10);

/// Runs strategies one after the other; the usual ones if none are given. Of these, those that go through views may take ten
/// times as long as the others: where a thread waits in a loop, there is no end of views.
pub fn compare(
    prepared: &Prepared,
    settings: &Settings,
    strategies: &[Strategy],
    progress: &Progress,
) -> Comparison {
    let mut rows: Vec<Row> = Vec::new();
    let is_usual = strategies.is_empty();
    for strategy in if is_usual { usual() } else { strategies.to_vec() } {
        let mut settings = settings.clone();
        if is_usual && strategy.row().abilities.by_views {
            let longest = rows.iter().map(|row| row.result.covered.seconds).fold(0.0, f64::max);
            let most = Duration::try_from_secs_f64(10.0 * longest).unwrap_or(PATIENCE).max(PATIENCE);
            settings.options.max_time.get_or_insert(most);
        }
        settings.options.strategy = strategy;
        settings.cross_check = None;
        let check::Checked { result, .. } = check::check(prepared, &settings, progress);
        let memory = Some(progress.memory.load(Ordering::Relaxed)).filter(|&bytes| bytes > 0);
        rows.push(Row { strategy, result, memory });
        if progress.stop.load(Ordering::Relaxed) {
            break;
        }
    }
    let contradictions = contradictions(&rows, settings.options.keep_going);
    Comparison { rows, contradictions }
}

/// What one of two must be wrong about.
fn contradictions(rows: &[Row], all: bool) -> Vec<String> {
    let mut found = Vec::new();
    for (number, one) in rows.iter().enumerate() {
        for other in &rows[number + 1..] {
            // A violation has been replayed, whichever strategy found it; not to have found one means nothing for
            // strategies that choose at random.
            found.extend(check::contradiction(&one.result, &other.result, all));
        }
    }
    found
}

impl Comparison {
    /// The common answer: a violation if any strategy has found one.
    pub fn verdict(&self) -> Answer {
        let says = |verdict: Answer| self.rows.iter().any(|row| row.result.verdict == verdict);
        match () {
            () if says(Answer::Violation) => Answer::Violation,
            () if says(Answer::Verified) => Answer::Verified,
            () => Answer::Unknown,
        }
    }

    /// The table; on demand with how much work questions to a solver were.
    pub fn table(&self, stats: bool) -> String {
        let mut head =
            vec!["strategy", "verdict", "executions", "blocked", "views", "queries", "time", "memory"];
        if stats {
            head.extend(["reads", "let go", "constraints", "let go", "work", "solver"]);
        }
        let mut lines: Vec<Vec<String>> = vec![head.iter().copied().map(str::to_owned).collect()];
        let number = |number: Option<u64>| number.map_or("-".to_owned(), grouped);
        for row in &self.rows {
            let covered = &row.result.covered;
            lines.push(vec![
                row.strategy.name().to_owned(),
                row.result.verdict.name().to_owned(),
                grouped(covered.executions),
                grouped(covered.blocked),
                number(covered.classes),
                number(covered.queries),
                format!("{:.2} s", covered.seconds),
                row.memory.map_or("-".to_owned(), |bytes| format!("{} MB", grouped(bytes >> 20))),
            ]);
            if let Some(line) = lines.last_mut().filter(|_| stats) {
                let work = covered.solver;
                line.extend([
                    number(work.map(|work| work.reads)),
                    number(work.map(|work| work.freed_reads)),
                    number(work.map(|work| work.constraints)),
                    number(work.map(|work| work.freed_constraints)),
                    number(work.map(|work| work.work)),
                    work.map_or("-".to_owned(), |work| format!("{:.4} s", work.seconds)),
                ]);
            }
        }
        let width = |column: usize| lines.iter().map(|line| line[column].len()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..head.len()).map(width).collect();
        let mut text = String::new();
        for line in &lines {
            let cells = line.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
                if column < 2 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
            });
            text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_report::Covered;
    use selvedge_trace::Model;

    fn row(strategy: Strategy, verdict: Answer, classes: Option<u64>) -> Row {
        let result = Check {
            verdict,
            model: Model::Sc,
            strategy: strategy.name().to_owned(),
            bounds: Vec::new(),
            left_out: Vec::new(),
            covered: Covered { executions: 12_345, classes, seconds: 0.5, ..Covered::default() },
            violations: Vec::new(),
            unknown: Vec::new(),
            cross_check: None,
            second_search: None,
        };
        Row { strategy, result, memory: Some(3 << 20) }
    }

    #[test]
    fn one_line_for_each() {
        let rows = vec![
            row(Strategy::Auto, Answer::Verified, Some(7)),
            row(Strategy::Random, Answer::Unknown, None),
        ];
        let comparison = Comparison { rows, contradictions: Vec::new() };
        assert_eq!(
            comparison.table(false),
            "strategy  verdict   executions  blocked  views  queries    time  memory\n\
             auto      verified      12,345        0      7        -  0.50 s    3 MB\n\
             random    unknown       12,345        0      -        -  0.50 s    3 MB\n"
        );
        assert_eq!(comparison.verdict(), Answer::Verified);
    }

    #[test]
    fn contradictions_are_named() {
        let says = |rows: &[Row]| contradictions(rows, false);
        let auto = || row(Strategy::Auto, Answer::Verified, Some(7));
        let same = [auto(), row(Strategy::Dpor, Answer::Verified, Some(7))];
        assert!(says(&same).is_empty());
        let verdicts = [auto(), row(Strategy::Dpor, Answer::Violation, None)];
        assert_eq!(says(&verdicts), ["strategy auto says verified, strategy dpor says violation"]);
        let views = [auto(), row(Strategy::Optimal, Answer::Verified, Some(8))];
        assert_eq!(says(&views), ["strategy auto says 7 views, strategy optimal says 8 views"]);
    }
}
