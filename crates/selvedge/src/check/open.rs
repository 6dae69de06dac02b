//! Why there is no answer, in the user's words.

use super::{Settings, confirm};
use crate::run::prepare::Prepared;
use crate::run::{self, Trace};
use selvedge_explore::{Budget, Report, Strategy, Unfinished};
use selvedge_machine::EndProperties;
use selvedge_report::{Unknown, Verdict};

fn plain(what: impl Into<String>, advice: impl Into<String>) -> Unknown {
    Unknown { what: what.into(), place: None, thread: None, advice: advice.into() }
}

/// A violation that did not happen again.
pub fn not_replayed(why: &str) -> Unknown {
    plain(
        "a violation could not be replayed",
        format!("This is a bug of Selvedge: please report it with the program ({why})"),
    )
}

/// The bounds kept the search from something.
pub fn cut(bounds: &[String]) -> Unknown {
    plain(
        format!("nothing is wrong within the bounds, and there is more beyond them ({})", bounds.join(", ")),
        "Raise the bounds or leave them out",
    )
}

/// The program asks for inputs, and this strategy looks at one value of each.
pub fn inputs(prepared: &Prepared) -> Option<Unknown> {
    selvedge_machine::asks_for_inputs(&prepared.program).map(|function| {
        plain(
            format!("the program asks for inputs ({function}), and only one value of each was looked at"),
            "Search with --strategy mpc under --model sc, tso or pso, which looks at all of them",
        )
    })
}

/// Part of the executions was not looked at.
pub fn unfinished(prepared: &Prepared, settings: &Settings, reason: &Unfinished, report: &Report) -> Unknown {
    match reason {
        Unfinished::Budget(Budget::Length) if settings.model.is_graph() => plain(
            "an execution takes more steps than can be looked at under the language's memory model",
            "Bound the loops with --unroll, or look at sequentially consistent executions only: --model sc",
        ),
        Unfinished::Budget(budget) => used_up(*budget),
        Unfinished::Sampled(runs) => plain(
            format!("only {runs} executions were looked at, chosen at random"),
            "Look at more with --runs, or at all of them with --strategy auto",
        ),
        Unfinished::Preemptions(most) => plain(
            format!("all executions with at most {most} preemptions were looked at, but not all others"),
            "Raise the limit that was reached",
        ),
        Unfinished::Spurious => plain(
            "threads wait, and that waits may return for no reason is not looked at here",
            "Look at it with --strategy auto and --model sc, tso or pso, or leave it out: --no-spurious",
        ),
        Unfinished::Cycles if settings.model.is_graph() => plain(
            "a thread waits in a loop in a way that the language's memory model cannot be followed in",
            "Look at sequentially consistent executions: --model sc",
        ),
        Unfinished::Cycles => plain(
            "some states come again, and this strategy does not look whether that can go on for ever",
            "Search with --strategy auto, which does",
        ),
        Unfinished::Lost => not_replayed("the way to a state that the search had seen"),
        Unfinished::Values(tried) => plain(
            format!(
                "nothing is wrong with the values of inputs that were tried ({tried}), and there are others"
            ),
            "Say with an assumption which values are asked about",
        ),
        Unfinished::Undecided => plain(
            "a question about inputs and orders was too hard for the solver",
            "Make the program smaller: fewer threads, fewer rounds, smaller inputs",
        ),
        Unfinished::Beyond(what) => plain(
            format!("this strategy cannot deal with {what}"),
            match settings.model.is_graph() {
                _ if settings.options.strategy == Strategy::Mpc => {
                    "Give the program fixed inputs, and search with --strategy auto"
                }
                true => "Use the default, or look at sequentially consistent executions only: --model sc",
                false => "Use another one, or the default",
            },
        ),
        Unfinished::Unsupported { outcome, choices } => {
            let schedule = confirm::schedule(prepared, settings, choices.clone(), &report.births);
            let verdict = confirm::replay(prepared, settings, schedule, Trace::Off)
                .map(|mut execution| run::judge(&mut execution, EndProperties::NONE));
            match verdict {
                Ok(Verdict::Unknown(unknown)) => unknown,
                _ => not_replayed(&format!("{outcome:?}")),
            }
        }
    }
}

/// A budget was used up.
pub fn used_up(budget: Budget) -> Unknown {
    match budget {
        Budget::Time => plain("the limit of time was reached", "Raise it with --max-time"),
        Budget::Memory => plain(
            "the limit of memory was reached",
            "Raise it with --max-memory, or make the program smaller: fewer threads, fewer rounds",
        ),
        Budget::Executions => plain("the limit of executions was reached", "Raise it with --max-executions"),
        Budget::Length => plain(
            "an execution takes more steps than a search without states can look at",
            "Bound the loops with --unroll, or take what remembers states: --strategy auto with --model sc, tso or pso",
        ),
        Budget::Interrupted => plain("interrupted", "Run it again and let it finish"),
    }
}
