//! The language's memory model beside the enumerator: where every access is sequentially consistent, a program does what it
//! does if one step comes after the other.

use crate::compare::{WAYS, compare_in, kind, kinds};
use crate::enumerate::Outcomes;
use crate::language::{Order, Program, Statement, walk};
use selvedge_explore::{Options, Progress, Strategy, explore};
use selvedge_machine::Config;
use selvedge_program::Program as Compiled;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The program with all accesses and fences sequentially consistent.
pub fn strengthened(program: &Program) -> Program {
    let mut program = program.clone();
    program.threads.iter_mut().for_each(|thread| strengthen(thread));
    strengthen(&mut program.main);
    program
}

fn strengthen(statements: &mut [Statement]) {
    for statement in statements {
        match statement {
            Statement::Load { order, .. }
            | Statement::Store { order, .. }
            | Statement::FetchAdd { order, .. }
            | Statement::Exchange { order, .. }
            | Statement::CompareExchange { order, .. }
            | Statement::Fence(order) => *order = Order::SeqCst,
            Statement::If(_, then, otherwise) => {
                strengthen(then);
                strengthen(otherwise);
            }
            Statement::Repeat(_, body) | Statement::Loop(body) => strengthen(body),
            _ => {}
        }
    }
}

/// Explores a compiled program's graphs and compares with what the enumerator finds. Where an assertion fails the
/// exploration does not look for other ends. A mutex that was given back may still be found taken by a thread that only
/// tries, unless something orders that, and the order of waits and notifications has to agree with happens-before and
/// with nothing else: where a thread tries or notifies there may be more.
pub fn compare(
    program: &Arc<Compiled>,
    config: &Config,
    source: &Program,
    expected: &Outcomes,
) -> Result<(), String> {
    // Copies are plain accesses, and stay what they are.
    if source.calls() {
        return Ok(());
    }
    let mut more = false;
    let may_show_more = |statement: &Statement| {
        matches!(statement, Statement::TryLock { .. } | Statement::Signal(_) | Statement::Broadcast(_))
    };
    for body in source.bodies() {
        walk(body, &mut |statement| more |= may_show_more(statement));
    }
    // Graphs say nothing about when the process ends.
    let ways = match expected.failed.is_empty() {
        true if expected.early => &WAYS[1..],
        true => &WAYS[..],
        false => &WAYS[2..],
    };
    if !more {
        return compare_in(Strategy::Optimal, program, config, expected, ways);
    }
    for &(count_views, keep_going) in ways {
        let strategy = Strategy::Optimal;
        let options = Options { strategy, count_views, keep_going, ..Options::default() };
        let report = explore(program.clone(), config.clone(), &options, &Progress::default());
        if let Some(unfinished) = report.unfinished.first() {
            return Err(format!("not finished: {unfinished:?}"));
        }
        let found =
            report.findings.iter().map(|finding| kind(&finding.bug)).collect::<Result<BTreeSet<_>, _>>()?;
        let wanted = kinds(expected);
        if keep_going && !wanted.is_subset(&found) || !wanted.is_empty() && found.is_empty() {
            return Err(format!("found {found:?}, the enumerator finds {wanted:?}"));
        }
        let fewest = expected.views.len() + expected.stuck.len();
        if report.classes.is_some_and(|classes| classes < fewest as u64) {
            return Err(format!("{:?} views, the enumerator finds {fewest}", report.classes));
        }
    }
    Ok(())
}
