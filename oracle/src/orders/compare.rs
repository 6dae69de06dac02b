//! The solver beside Z3 and the enumerator: for tests and fuzzing.

use super::enumerate::enumerate;
use super::random::{Shape, query};
use crate::numbers::Numbers;
use selvedge_order::{Answer, Prepared, Query, Scratch, Trace, verify};
use selvedge_smt::{Verdict, Z3};
use selvedge_trace::Model;
use std::fmt::Write;

/// States that the enumerator looks at before it gives up.
const STATES: usize = 20_000;

/// How two answers to a query compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// There is an order; all say so.
    Order,
    /// There is none; all say so.
    None,
    /// One of them gave up.
    Unknown,
}

/// A random case: a trace, a memory model and a query.
#[derive(Clone, Debug)]
pub struct Case {
    /// The trace.
    pub trace: Trace,
    /// The memory model under which it was recorded.
    pub model: Model,
    /// What is asked.
    pub query: Query,
    patience: usize,
}

impl Case {
    /// The case with this number; `events` at most and 3 at least.
    pub fn new(number: u64, events: usize) -> Self {
        let mut numbers = Numbers::new(number);
        let model = [Model::Sc, Model::Tso, Model::Pso][(number % 3) as usize];
        let shape = Shape {
            threads: 2 + numbers.below(3),
            events: 3 + numbers.below(events.saturating_sub(2).max(1)),
            variables: 1 + numbers.below(3),
            values: 2 + numbers.below(2),
            plain: numbers.below(3) == 0,
        };
        // Many threads at one or two variables: there it matters what memory holds when frontiers meet again.
        let shape = match numbers.below(3) {
            0 => {
                Shape { threads: 3 + numbers.below(2), variables: 1 + numbers.below(2), plain: true, ..shape }
            }
            _ => shape,
        };
        let trace = shape.trace(model, &mut numbers);
        let query = query(&trace, shape.values, &mut numbers);
        Case { trace, model, query, patience: numbers.one_of(&[0, 1, 25]) }
    }

    /// For people.
    pub fn describe(&self) -> String {
        let mut text = format!("{:?}, {:?}\n", self.model, self.query);
        for thread in 0..self.trace.threads() {
            for (index, action) in self.trace.events(thread as u32).iter().enumerate() {
                let _ = writeln!(text, "  {thread}.{index} {action:?}");
            }
        }
        let _ = writeln!(text, "  recorded as {:?}", self.trace.order());
        text
    }

    /// What the solver says, having been checked by going through the order that it gives. Traces are small here:
    /// with little patience every part of the solver has to work.
    fn solve(&self, scratch: &mut Scratch) -> Result<Answer, String> {
        scratch.set_patience(self.patience);
        let prepared = Prepared::new(&self.trace, self.model).map_err(|error| error.to_string())?;
        let answer = prepared.solve(&self.query, scratch).map_err(|error| error.to_string())?;
        if let Some(steps) = answer.steps() {
            verify(&self.trace, self.model, &self.query, steps)
                .map_err(|error| format!("{error}: {answer:?}"))?;
        }
        let any = prepared.solve(&self.query.clone().any(), scratch).map_err(|error| error.to_string())?;
        match (any.steps(), &answer) {
            (Some(steps), Answer::Order { .. }) => verify(&self.trace, self.model, &self.query, steps)
                .map_err(|error| format!("{error}: {any:?}"))?,
            (None, Answer::None) | (_, Answer::Unknown) => {}
            _ => return Err(format!("any order: {any:?}, the smallest one: {answer:?}")),
        }
        self.solve_lean(&prepared, scratch)?;
        Ok(answer)
    }

    /// With what follows from freed reads kept: orders of the query, and one if the query without freed reads has one.
    fn solve_lean(&self, prepared: &Prepared, scratch: &mut Scratch) -> Result<(), String> {
        let whole = self.query.whole();
        if whole == self.query {
            return Ok(());
        }
        let mut solve = |query: &Query| prepared.solve(query, scratch).map_err(|error| error.to_string());
        let (lean, whole) = (solve(&self.query.clone().lean().any())?, solve(&whole.any())?);
        match lean.steps() {
            Some(steps) => verify(&self.trace, self.model, &self.query, steps)
                .map_err(|error| format!("{error}: {lean:?}")),
            None if lean == Answer::None && whole.steps().is_some() => {
                Err(format!("with freed reads there is no order, without them {whole:?}"))
            }
            None => Ok(()),
        }
    }

    /// Compares with trying everything.
    pub fn compare_with_enumerator(&self, scratch: &mut Scratch) -> Result<Agreement, String> {
        let answer = self.solve(scratch)?;
        let expected = enumerate(&self.trace, self.model, &self.query, STATES);
        let expected = expected.map_err(|error| error.to_string())?;
        match (&answer, &expected) {
            (_, Answer::Unknown) => Ok(Agreement::Unknown),
            (Answer::None, Answer::None) => Ok(Agreement::None),
            (Answer::Order { least: true, .. }, Answer::Order { .. }) if answer.size() == expected.size() => {
                Ok(Agreement::Order)
            }
            _ => Err(format!("the enumerator says {expected:?}, the solver {answer:?}")),
        }
    }

    /// Compares with Z3: whether there is an order, and that there is no smaller one.
    pub fn compare_with_z3(&self, scratch: &mut Scratch, z3: &mut Z3) -> Result<Agreement, String> {
        let answer = self.solve(scratch)?;
        let mut ask = |fewer: Option<usize>| {
            z3.ask(&self.trace, self.model, &self.query, fewer).map_err(|error| error.to_string())
        };
        let verdict = ask(None)?;
        match (&answer, verdict) {
            (_, Verdict::Unknown) | (Answer::Unknown, _) => Ok(Agreement::Unknown),
            (Answer::None, Verdict::Unsat) => Ok(Agreement::None),
            (Answer::Order { least, .. }, Verdict::Sat) => match ask(answer.size())? {
                Verdict::Sat if *least => {
                    Err(format!("Z3 says that there is a smaller order than that of the solver, {answer:?}"))
                }
                _ => Ok(Agreement::Order),
            },
            _ => Err(format!("Z3 says {verdict:?}, the solver {answer:?}")),
        }
    }
}
