//! Reports for people at a terminal.

mod check;

pub use check::{Detail, check, grouped, line, solver_work};
pub(crate) use check::{bounds_hold, chance_of_confusion, counts, second_search, under};

use crate::{Doing, Kind, Leak, Place, StackLine, Style, Unknown, Violation, Waiting};
use std::fmt::Write;

impl Place {
    /// `file:line:column`.
    pub fn position(&self) -> String {
        match (self.line, self.column) {
            (0, _) => self.file.clone(),
            (line, 0) => format!("{}:{line}", self.file),
            (line, column) => format!("{}:{line}:{column}", self.file),
        }
    }

    /// `file:line:column in function`.
    pub fn described(&self) -> String {
        if self.function.is_empty() {
            self.position()
        } else {
            format!("{} in {}", self.position(), self.function)
        }
    }
}

/// A violation as text, ending with the command that replays it, if there is one.
pub fn violation(violation: &Violation, replay: Option<&str>, style: Style) -> String {
    let mut text = String::new();
    headline(&mut text, &style.bad("violation"), violation.kind.title(), style);
    lines(&mut text, "  ", &violation.message);
    // Where threads wait and blocks were allocated is said with each of them.
    let listed = !violation.waiting.is_empty() || !violation.leaks.is_empty() || !violation.doing.is_empty();
    if let Some(at) = at(violation.place.as_ref(), violation.thread.as_deref()).filter(|_| !listed) {
        text.push_str(&format!("  {at}\n"));
    }
    waiting(&mut text, &violation.waiting);
    // The message about a data race names its accesses.
    if violation.kind != Kind::DataRace {
        doing(&mut text, &violation.doing);
    }
    if let [first, .., _] = violation.cycle.as_slice() {
        let circle = violation.cycle.iter().chain([first]).map(String::as_str).collect::<Vec<_>>();
        text.push_str(&format!("  they wait in a circle: {}\n", circle.join(" -> ")));
    }
    stack(&mut text, &violation.stack, style);
    leaks(&mut text, &violation.leaks);
    if let Some(command) = replay {
        text.push_str(&format!("  replay: {}\n", style.strong(command)));
    }
    text
}

/// A violation in one line.
pub fn line_of(violation: &Violation) -> String {
    let place = violation.place.as_ref().map_or(String::new(), |place| format!(" at {}", place.described()));
    format!("violation: {}{place}\n", violation.kind.title())
}

/// An unknown verdict in one line.
pub fn line_of_unknown(unknown: &Unknown) -> String {
    let place = unknown.place.as_ref().map_or(String::new(), |place| format!(" at {}", place.described()));
    format!("unknown: {}{place}\n", unknown.what)
}

/// An unknown verdict as text.
pub fn unknown(unknown: &Unknown, replay: Option<&str>, style: Style) -> String {
    let mut text = String::new();
    let mut what = unknown.what.clone();
    if let Some(place) = &unknown.place {
        what.push_str(&format!(" at {}", place.described()));
    }
    headline(&mut text, &style.doubtful("unknown"), &what, style);
    if let Some(thread) = &unknown.thread {
        text.push_str(&format!("  in thread {thread}\n"));
    }
    lines(&mut text, "  ", &unknown.advice);
    if let Some(command) = replay {
        text.push_str(&format!("  replay: {}\n", style.strong(command)));
    }
    text
}

fn headline(text: &mut String, verdict: &str, what: &str, style: Style) {
    text.push_str(&format!("{verdict}: {}\n", style.strong(what)));
}

fn lines(text: &mut String, indent: &str, what: &str) {
    for line in what.lines() {
        text.push_str(indent);
        text.push_str(line);
        text.push('\n');
    }
}

fn at(place: Option<&Place>, thread: Option<&str>) -> Option<String> {
    match (place, thread) {
        (Some(place), Some(thread)) => Some(format!("at {}, thread {thread}", place.described())),
        (Some(place), None) => Some(format!("at {}", place.described())),
        (None, Some(thread)) => Some(format!("in thread {thread}")),
        (None, None) => None,
    }
}

fn waiting(text: &mut String, threads: &[Waiting]) {
    for thread in threads {
        let _ = write!(text, "  {} waits {}", thread.thread, thread.waits);
        if let Some(holder) = &thread.holder {
            let _ =
                write!(text, ", which {} has", if *holder == thread.thread { "it already" } else { holder });
        }
        if let Some(place) = &thread.place {
            let _ = write!(text, ", at {}", place.described());
        }
        text.push('\n');
    }
}

fn doing(text: &mut String, threads: &[Doing]) {
    for thread in threads {
        let _ = write!(text, "  {} {}", thread.thread, thread.does);
        if let Some(place) = &thread.place {
            let _ = write!(text, " at {}", place.described());
        }
        text.push('\n');
    }
}

/// Calls of the user's own code one by one; neighbours in libraries together.
fn stack(text: &mut String, stack: &[StackLine], style: Style) {
    if stack.iter().all(|line| line.library) || stack.len() < 2 {
        return;
    }
    text.push_str("  stack\n");
    let mut rest = stack;
    while let Some((line, after)) = rest.split_first() {
        if line.library {
            let folded = rest.iter().take_while(|line| line.library).count();
            let frames = if folded == 1 { "call" } else { "calls" };
            let note = format!("... {folded} {frames} in libraries");
            text.push_str(&format!("    {}\n", style.weak(&note)));
            rest = &rest[folded..];
        } else {
            text.push_str(&format!("    {}\n", line.place.described()));
            rest = after;
        }
    }
}

fn leaks(text: &mut String, leaks: &[Leak]) {
    for leak in leaks {
        let blocks = if leak.blocks == 1 { "block" } else { "blocks" };
        let bytes = if leak.bytes == 1 { "byte" } else { "bytes" };
        let _ = write!(text, "  {} {blocks} of {} {bytes} in all", leak.blocks, leak.bytes);
        if let Some(place) = &leak.place {
            let _ = write!(text, ", allocated at {}", place.described());
        }
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn place(line: u32, function: &str) -> Place {
        Place { file: "bank.c".into(), line, column: 3, function: function.into() }
    }

    fn check(shown: &Violation, expected: Expect) {
        expected.assert_eq(&violation(
            shown,
            Some("selvedge run bank.c --schedule s.json"),
            Style::default(),
        ));
    }

    #[test]
    fn a_failed_assertion() {
        let line = |line, function, library| StackLine { place: place(line, function), library };
        let shown = Violation {
            place: Some(place(17, "withdraw")),
            thread: Some("main.1".into()),
            stack: vec![
                line(17, "withdraw", false),
                line(1, "a", true),
                line(2, "b", true),
                line(30, "main", false),
            ],
            ..Violation::new(Kind::Assertion, "balance >= 0".into())
        };
        check(
            &shown,
            expect![[r#"
            violation: failed assertion
              balance >= 0
              at bank.c:17:3 in withdraw, thread main.1
              stack
                bank.c:17:3 in withdraw
                ... 2 calls in libraries
                bank.c:30:3 in main
              replay: selvedge run bank.c --schedule s.json
        "#]],
        );
    }

    #[test]
    fn a_deadlock() {
        let wait = |thread: &str, what: &str, holder: Option<&str>| Waiting {
            thread: thread.into(),
            waits: what.into(),
            holder: holder.map(str::to_owned),
            place: Some(place(20, "transfer")),
        };
        let shown = Violation {
            waiting: vec![
                wait("main", "for thread main.1 to end", None),
                wait("main.1", "to lock mutex a", Some("main.2")),
                wait("main.2", "to lock mutex b", Some("main.1")),
            ],
            cycle: vec!["main.1".into(), "main.2".into()],
            ..Violation::new(Kind::Deadlock, "no thread can go on".into())
        };
        check(
            &shown,
            expect![[r#"
            violation: deadlock
              no thread can go on
              main waits for thread main.1 to end, at bank.c:20:3 in transfer
              main.1 waits to lock mutex a, which main.2 has, at bank.c:20:3 in transfer
              main.2 waits to lock mutex b, which main.1 has, at bank.c:20:3 in transfer
              they wait in a circle: main.1 -> main.2 -> main.1
              replay: selvedge run bank.c --schedule s.json
        "#]],
        );
    }

    #[test]
    fn leaks_by_allocation_site() {
        let shown = Violation {
            leaks: vec![Leak { place: Some(place(4, "make")), blocks: 3, bytes: 48 }],
            ..Violation::new(Kind::Leak, "3 blocks were never freed".into())
        };
        check(
            &shown,
            expect![[r#"
            violation: memory leak
              3 blocks were never freed
              3 blocks of 48 bytes in all, allocated at bank.c:4:3 in make
              replay: selvedge run bank.c --schedule s.json
        "#]],
        );
    }

    #[test]
    fn an_unknown_verdict() {
        let shown = Unknown {
            what: "unsupported inline assembly".into(),
            place: Some(place(3, "pause")),
            thread: Some("main".into()),
            advice: "Compile without it, if the program allows that".into(),
        };
        expect![[r#"
            unknown: unsupported inline assembly at bank.c:3:3 in pause
              in thread main
              Compile without it, if the program allows that
        "#]]
        .assert_eq(&unknown(&shown, None, Style::default()));
    }
}
