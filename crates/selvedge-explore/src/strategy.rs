//! The strategies: one table.
//!
//! Dispatch, help, what goes together on the command line, what is compared with what, the oracle's list and the table in
//! the documentation read it. A new strategy is a folder and a row here.

use crate::recorded::{self, mcr};
use crate::{Config, Options, Program, Progress, Report, dpor, graphs, paths, portfolio, sampling, states};
use selvedge_machine::Spurious;
use selvedge_trace::Model;
use std::sync::Arc;

/// What a strategy explores, and how.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    pub program: &'a Arc<Program>,
    /// What machines are told.
    pub config: &'a Config,
    /// What the search is told.
    pub options: &'a Options,
    /// How far it has come, and when to stop.
    pub progress: &'a Progress,
    /// Another search goes on where this one cannot: it stops at the first thing that is not supported, and says no more.
    pub hands_over: bool,
}

/// How much a strategy answers if it is given the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answers {
    /// Everything that can happen.
    Everything,
    /// Every decision of the threads for every input. Data races and final states are not among them.
    Decisions,
    /// What happens in some executions.
    Samples,
}

/// What can be asked of a strategy besides an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abilities {
    /// It takes a bound on preemptions.
    pub preemptions: bool,
    /// It asks the ordering solver, and can ask another one instead.
    pub asks_solver: bool,
    /// It is compared with others where no strategies are named.
    pub compared: bool,
    /// It goes through views, of which there is no end where a thread waits in a loop.
    pub by_views: bool,
}

const NONE: Abilities =
    Abilities { preemptions: false, asks_solver: false, compared: false, by_views: false };

/// A row of the table.
pub struct StrategyRow {
    /// The strategy.
    pub strategy: Strategy,
    /// The word for options and files.
    pub name: &'static str,
    /// A few words for the help.
    pub help: &'static str,
    /// What it explores, for the documentation.
    pub explores: &'static str,
    /// Whether its answer is complete, for the documentation.
    pub complete: &'static str,
    /// How much it answers.
    pub answers: Answers,
    /// The models under which it answers.
    pub models: &'static [Model],
    /// Which spurious wake-ups it explores. A strategy that stores states knows when a thread is where it was; one that
    /// does not begins each wait twice: the thread waits, or it is awake at once.
    pub spurious: Spurious,
    /// What else can be asked of it.
    pub abilities: Abilities,
    /// Explores under a model whose executions are interleavings.
    pub interleavings: fn(Task<'_>) -> Report,
    /// Explores under a model whose executions are graphs; nothing where it cannot.
    pub graphs: Option<fn(Task<'_>) -> Report>,
}

/// Defines [`Strategy`] and its table.
macro_rules! strategies {
    ($($(#[doc = $what:literal])+ $variant:ident { $($field:ident: $value:expr),* $(,)? })*) => {
        /// The strategies. The one list.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Strategy {
            $($(#[doc = $what])+ $variant,)*
        }

        impl Strategy {
            pub const ALL: &'static [Strategy] = &[$(Strategy::$variant,)*];

            /// All that there is to say about it.
            pub fn row(self) -> &'static StrategyRow {
                static TABLE: &[StrategyRow] =
                    &[$(StrategyRow { strategy: Strategy::$variant, $($field: $value),* },)*];
                &TABLE[self as usize]
            }
        }
    };
}

strategies! {
    /// States that meet again are explored once, with partial-order reduction; under the language's models the portfolio of
    /// [`portfolio::graphs`].
    Auto {
        name: "auto",
        help: "states that meet are explored once, and orders that make no difference once",
        explores: "each state once, and of the orders of steps that make no difference one; under `rc11` and `mca` sequentially consistent executions first, then states of executions in which loads look back, beside execution graphs",
        complete: "yes",
        answers: Answers::Everything,
        models: Model::ALL,
        spurious: Spurious::Pruned,
        abilities: Abilities { preemptions: true, compared: true, ..NONE },
        interleavings: portfolio::interleavings::explore,
        graphs: Some(portfolio::graphs::explore),
    }
    /// States that meet again are explored once; nothing else is left out.
    States {
        name: "states",
        help: "only states that meet are explored once",
        explores: "each state once",
        complete: "yes",
        answers: Answers::Everything,
        models: &[Model::Sc, Model::Tso, Model::Pso, Model::Rc11],
        spurious: Spurious::Pruned,
        abilities: Abilities { preemptions: true, compared: true, ..NONE },
        interleavings: portfolio::interleavings::explore,
        graphs: Some(graphs::explore),
    }
    /// Source-DPOR: executions that differ only in the order of independent steps are explored once, states are not
    /// remembered.
    Dpor {
        name: "dpor",
        help: "source-DPOR: orders that make no difference once, without remembering states",
        explores: "of the orders that make no difference one complete execution (source sets, sleep sets); remembers no states",
        complete: "if all executions end",
        answers: Answers::Everything,
        models: Model::INTERLEAVED,
        spurious: Spurious::AtWait,
        abilities: Abilities { compared: true, ..NONE },
        interleavings: dpor::source,
        graphs: None,
    }
    /// Optimal DPOR: as source-DPOR, and no execution is begun in vain.
    Optimal {
        name: "optimal",
        help: "optimal DPOR: the same, and no execution is begun in vain; under rc11 and mca every execution graph once",
        explores: "the same, and no execution is begun in vain (wakeup trees); under `rc11` and `mca` each execution graph once",
        complete: "if all executions end",
        answers: Answers::Everything,
        models: Model::ALL,
        spurious: Spurious::AtWait,
        abilities: Abilities { compared: true, ..NONE },
        interleavings: dpor::optimal,
        graphs: Some(graphs::explore),
    }
    /// Iterative context bounding: executions with few interruptions first.
    Icb {
        name: "icb",
        help: "few preemptions first",
        explores: "states, those with few preemptions first",
        complete: "yes, but for endless executions",
        answers: Answers::Everything,
        models: Model::INTERLEAVED,
        spurious: Spurious::Pruned,
        abilities: Abilities { preemptions: true, compared: true, ..NONE },
        interleavings: states::icb::explore,
        graphs: None,
    }
    /// Probabilistic concurrency testing: executions with random priorities.
    Pct {
        name: "pct",
        help: "some executions, with random priorities",
        explores: "executions with random priorities: `--runs N`, `--seed S`, `--depth D`",
        complete: "never",
        answers: Answers::Samples,
        models: Model::INTERLEAVED,
        spurious: Spurious::Pruned,
        abilities: NONE,
        interleavings: sampling::pct::explore,
        graphs: None,
    }
    /// Uniform random scheduling.
    Random {
        name: "random",
        help: "some executions, chosen at random",
        explores: "random executions: `--runs N`, `--seed S`",
        complete: "never",
        answers: Answers::Samples,
        models: Model::INTERLEAVED,
        spurious: Spurious::Pruned,
        abilities: NONE,
        interleavings: sampling::random::explore,
        graphs: None,
    }
    /// Maximal causality reduction: the reads of every execution get other values.
    Mcr {
        name: "mcr",
        help: "maximal causality: the reads of every execution get other values",
        explores: "what reads can see, by questions to an ordering solver",
        complete: "yes, for small programs",
        answers: Answers::Everything,
        models: Model::INTERLEAVED,
        spurious: Spurious::Off,
        abilities: Abilities { compared: true, ..BY_SOLVER },
        interleavings: mcr::mcr,
        graphs: None,
    }
    /// As before; questions say nothing of reads on which their answer does not depend.
    McrS {
        name: "mcr-s",
        help: "the same with fewer reads in a question",
        explores: "the same, with those reads in a question on which its answer depends",
        complete: "yes, for small programs",
        answers: Answers::Everything,
        models: Model::INTERLEAVED,
        spurious: Spurious::Off,
        abilities: BY_SOLVER,
        interleavings: mcr::mcr_s,
        graphs: None,
    }
    /// As before; of reads before the one that is to see something else, questions say everything.
    McrSPlus {
        name: "mcr-s+",
        help: "the same with all reads before the one that changes",
        explores: "the same, with all reads before the one that is to see something else",
        complete: "yes, for small programs",
        answers: Answers::Everything,
        models: Model::INTERLEAVED,
        spurious: Spurious::Off,
        abilities: BY_SOLVER,
        interleavings: mcr::mcr_s_plus,
        graphs: None,
    }
    /// Maximal causality reduction without beginnings that are known: one execution for each view.
    SeMcr {
        name: "se-mcr",
        help: "maximal causality, one execution for each view",
        explores: "what reads can see, one execution for each view",
        complete: "yes, for small programs",
        answers: Answers::Everything,
        models: Model::INTERLEAVED,
        spurious: Spurious::Off,
        abilities: Abilities { compared: true, ..BY_SOLVER },
        interleavings: mcr::se_mcr,
        graphs: None,
    }
    /// View equivalence: one execution for each view, and no question asked twice.
    Viequi {
        name: "viequi",
        help: "view equivalence, one execution for each view",
        explores: "what reads can see, one execution for each view, with no question asked twice",
        complete: "yes, if all executions end",
        answers: Answers::Everything,
        models: Model::INTERLEAVED,
        spurious: Spurious::Off,
        abilities: Abilities { compared: true, by_views: true, ..NONE },
        interleavings: recorded::viequi::explore,
        graphs: None,
    }
    /// Maximal path causality: inputs as well as schedules, by the decisions of threads.
    Mpc {
        name: "mpc",
        help: "maximal path causality: inputs as well as schedules, by the decisions of threads",
        explores: "every decision that a thread can take, with all inputs and all schedules; see [inputs](../inputs.md)",
        complete: "yes, if the decisions are finitely many; data races included, threads that go on for ever not",
        answers: Answers::Decisions,
        models: Model::INTERLEAVED,
        spurious: Spurious::Off,
        abilities: NONE,
        interleavings: paths::explore,
        graphs: None,
    }
}

const BY_SOLVER: Abilities =
    Abilities { preemptions: false, asks_solver: true, compared: false, by_views: true };

impl Strategy {
    /// The word for options and files.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The strategy with a name.
    pub fn named(name: &str) -> Option<Strategy> {
        Strategy::ALL.iter().copied().find(|strategy| strategy.name() == name)
    }

    /// All whose rows are as asked for.
    pub fn all_that(fits: impl Fn(&StrategyRow) -> bool) -> impl Iterator<Item = Strategy> {
        Strategy::ALL.iter().copied().filter(move |strategy| fits(strategy.row()))
    }

    /// The names of all whose rows are as asked for, for a sentence.
    pub fn names_that(fits: impl Fn(&StrategyRow) -> bool) -> String {
        let names: Vec<&str> = Strategy::all_that(fits).map(Strategy::name).collect();
        match &names[..] {
            [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
            _ => names.concat(),
        }
    }

    /// The table of the documentation.
    pub fn table() -> String {
        let head = "| strategy | what it explores | models | complete |\n|---|---|---|---|\n";
        let row = |strategy: &Strategy| {
            let row = strategy.row();
            let models: Vec<String> = row.models.iter().map(|model| format!("`{}`", model.name())).collect();
            let models = if row.models == Model::ALL { "all".to_owned() } else { models.join(", ") };
            format!("| `{}` | {} | {models} | {} |\n", row.name, row.explores, row.complete)
        };
        head.to_owned() + &Strategy::ALL.iter().map(row).collect::<String>()
    }

    /// Whether it asks the ordering solver.
    pub fn asks_solver(self) -> bool {
        self.row().abilities.asks_solver
    }

    /// Whether it explores everything that can happen if it is given the time.
    pub fn is_complete(self) -> bool {
        self.row().answers == Answers::Everything
    }

    /// Whether it explores inputs, by the decisions of threads.
    pub fn is_by_paths(self) -> bool {
        self.row().answers == Answers::Decisions
    }

    /// Whether it explores executions that are chosen at random.
    pub fn is_random(self) -> bool {
        self.row().answers == Answers::Samples
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_are_those_of_the_strategies() {
        for &strategy in Strategy::ALL {
            let row = strategy.row();
            assert_eq!(row.strategy, strategy);
            assert_eq!(Strategy::named(row.name), Some(strategy));
            let has_graphs = row.models.iter().any(|model| model.is_graph());
            assert_eq!(row.graphs.is_some(), has_graphs, "{}", row.name);
            assert!(!row.abilities.compared || strategy.is_complete(), "{}", row.name);
        }
        assert_eq!(Strategy::names_that(|row| row.name == "auto"), "auto");
        assert_eq!(Strategy::names_that(|row| row.answers == Answers::Samples), "pct and random");
    }
}
