//! Makes a program smaller as long as it still shows what is wrong.

use crate::language::{Expression, Program, Statement};

/// The smallest program that can be made of `program` by leaving out threads and statements, one at a time, such that
/// `fails` still says yes.
pub fn shrink(program: &Program, fails: &mut dyn FnMut(&Program) -> bool) -> Program {
    let mut smallest = program.clone();
    'again: loop {
        for candidate in candidates(&smallest) {
            if candidate.is_well_formed() && fails(&candidate) {
                smallest = candidate;
                continue 'again;
            }
        }
        return smallest;
    }
}

/// Programs that are a little smaller, the boldest steps first.
fn candidates(program: &Program) -> Vec<Program> {
    let mut candidates = Vec::new();
    for thread in 0..program.threads.len() {
        if let Some(smaller) = without_thread(program, thread) {
            candidates.push(smaller);
        }
    }
    if !program.main.is_empty() {
        candidates.push(Program { main: Vec::new(), ..program.clone() });
    }
    for (thread, statements) in program.threads.iter().enumerate() {
        for smaller in smaller(statements) {
            let mut candidate = program.clone();
            candidate.threads[thread] = smaller;
            candidates.push(candidate);
        }
    }
    candidates.extend(smaller(&program.main).into_iter().map(|main| Program { main, ..program.clone() }));
    candidates
}

/// Without a thread that creates no other, with the others numbered anew.
fn without_thread(program: &Program, thread: usize) -> Option<Program> {
    if program.threads.len() < 2 || !program.children(thread).is_empty() {
        return None;
    }
    let mut smaller = program.clone();
    smaller.threads.remove(thread);
    smaller.threads.iter_mut().chain([&mut smaller.main]).for_each(|body| forget(body, thread));
    Some(smaller)
}

/// Leaves out what concerns a thread, and numbers the others anew.
fn forget(statements: &mut Vec<Statement>, thread: usize) {
    let concerns = |statement: &Statement| {
        *statement == Statement::Create(thread) || statement.awaited() == Some(thread)
    };
    statements.retain(|statement| !concerns(statement));
    for statement in statements {
        match statement {
            Statement::Create(child)
            | Statement::Join { child, .. }
            | Statement::TryJoin { child, .. }
            | Statement::Detach(child) => *child -= usize::from(*child > thread),
            Statement::If(_, then, otherwise) => {
                forget(then, thread);
                forget(otherwise, thread);
            }
            Statement::Repeat(_, body) | Statement::Loop(body) => forget(body, thread),
            _ => {}
        }
    }
}

/// The same statements with one left out, replaced by what is inside it, or made smaller inside.
fn smaller(statements: &[Statement]) -> Vec<Vec<Statement>> {
    let mut all = Vec::new();
    for (index, statement) in statements.iter().enumerate() {
        let mut replace = |by: &[Statement]| {
            let mut copy = statements.to_vec();
            copy.splice(index..=index, by.iter().cloned());
            all.push(copy);
        };
        replace(&[]);
        match statement {
            Statement::If(condition, then, otherwise) => {
                replace(then);
                replace(otherwise);
                for then in smaller(then) {
                    replace(&[Statement::If(condition.clone(), then, otherwise.clone())]);
                }
                for otherwise in smaller(otherwise) {
                    replace(&[Statement::If(condition.clone(), then.clone(), otherwise)]);
                }
            }
            Statement::Repeat(count, body) => {
                replace(body);
                for body in smaller(body) {
                    replace(&[Statement::Repeat(*count, body)]);
                }
            }
            Statement::Loop(body) => {
                for body in smaller(body) {
                    replace(&[Statement::Loop(body)]);
                }
            }
            Statement::Store { to, value, order } if !matches!(value, Expression::Number(_)) => {
                replace(&[Statement::Store { to: to.clone(), value: Expression::Number(1), order: *order }]);
            }
            _ => {}
        }
    }
    // Locks go in pairs.
    for (first, statement) in statements.iter().enumerate() {
        let Statement::Lock(mutex) = statement else { continue };
        let unlock = |other: &Statement| *other == Statement::Unlock(*mutex);
        if let Some(second) = statements[first..].iter().position(unlock) {
            let mut copy = statements.to_vec();
            copy.remove(first + second);
            copy.remove(first);
            all.push(copy);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumerate::distinct_states;
    use crate::notation;
    use selvedge_trace::Model;

    #[test]
    fn what_does_not_matter_is_left_out() {
        let program = notation::program(
            "large",
            "x y z mutex:m",
            "z=1; x=1; lock m; y=1; unlock m; r z || if v==0 { v=y; r z } v=x; w=z || r z; z=5",
            "r x",
        );
        let mut fails = |candidate: &Program| {
            // T0 shows y before x.
            let outcomes = distinct_states(candidate, Model::Pso, 100_000).expect("small");
            !outcomes.misuse
                && outcomes.views.iter().any(|view| view.get(1).is_some_and(|reads| reads.len() >= 2))
        };
        let small = shrink(&program, &mut fails);
        assert_eq!(small.threads.iter().map(Vec::len).sum::<usize>(), 2, "{small:?}");
    }
}
