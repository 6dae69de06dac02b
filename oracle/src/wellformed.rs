//! The rules that programs follow, so that nothing is undefined in their C but what they mean to do wrong.

use crate::language::{Program, Statement, walk};

impl Program {
    /// Whether it follows the rules: no thread begins with a judgement, what leaves a loop is in one, threads are
    /// created once, and a thread that is joined was created.
    pub fn is_well_formed(&self) -> bool {
        let begins = if self.main_creates() { self.bodies().count() } else { self.threads.len() };
        self.bodies().take(begins).all(|body| begins_visibly(body) != Some(false))
            && self.bodies().all(|body| leaves_loops(body, false))
            && self.creates_well()
    }

    /// Every thread is created by at most one statement, and joined or detached by at most one that knows it to exist.
    fn creates_well(&self) -> bool {
        let roots = if self.main_creates() { vec![] } else { self.started() };
        let mut lives = Lives { program: self, reached: roots.clone(), awaited: Vec::new() };
        let followed = roots.into_iter().chain([self.main_thread()]).all(|root| lives.thread(root, &[]));
        let all = lives.reached.len() == self.threads.len();
        // What is not joined is joined by the creator: it has to have been created, and by no other thread.
        let plainly = self.main_creates() || self.threads.iter().all(|body| creates_plainly(body));
        followed && all && plainly
    }
}

/// Threads come to live in one order only of the statements that create them: each is reached once.
struct Lives<'a> {
    program: &'a Program,
    reached: Vec<usize>,
    awaited: Vec<usize>,
}

impl Lives<'_> {
    /// A thread that begins when the others in `known` have been created.
    fn thread(&mut self, thread: usize, known: &[usize]) -> bool {
        let program = self.program;
        let mut creates_sometimes = false;
        self.block(program.body(thread), &mut known.to_vec(), Inside::Nothing, &mut creates_sometimes)
    }

    /// Statements in order; `known` are the threads that have been created for certain. A thread that may or may not be
    /// created is the last of its creator's: names of threads count those before.
    fn block(
        &mut self,
        statements: &[Statement],
        known: &mut Vec<usize>,
        inside: Inside,
        creates_sometimes: &mut bool,
    ) -> bool {
        statements.iter().all(|statement| match statement {
            Statement::Create(child) => {
                let first = !self.reached.contains(child);
                let named = !*creates_sometimes && inside != Inside::Loop;
                *creates_sometimes |= inside == Inside::Condition;
                self.reached.push(*child);
                let lives = first && named && self.thread(*child, known);
                known.push(*child);
                lives
            }
            Statement::If(_, then, otherwise) => {
                let inside = if inside == Inside::Loop { inside } else { Inside::Condition };
                [then, otherwise]
                    .into_iter()
                    .all(|block| self.block(block, &mut known.clone(), inside, creates_sometimes))
            }
            Statement::Repeat(_, body) | Statement::Loop(body) => {
                self.block(body, &mut known.clone(), Inside::Loop, creates_sometimes)
            }
            statement => match statement.awaited() {
                Some(child) => {
                    let first = !self.awaited.contains(&child);
                    self.awaited.push(child);
                    first && known.contains(&child) && inside != Inside::Loop
                }
                None => true,
            },
        })
    }
}

/// What is around a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Nothing,
    Condition,
    Loop,
}

/// Threads are created and joined by their creator, inside no other statements, and before it ends.
fn creates_plainly(body: &[Statement]) -> bool {
    let (mut all, mut ends) = (0, false);
    let concerns =
        |statement: &Statement| matches!(statement, Statement::Create(_)) || statement.awaited().is_some();
    walk(body, &mut |statement| {
        all += usize::from(concerns(statement));
        ends |= matches!(statement, Statement::Return(_) | Statement::Leave(_));
    });
    let mut created = Vec::new();
    let plainly = body.iter().filter(|statement| concerns(statement)).map(|statement| match statement {
        Statement::Create(child) => {
            created.push(*child);
            true
        }
        other => other.awaited().is_some_and(|child| created.contains(&child)),
    });
    let plain: Vec<bool> = plainly.collect();
    all == 0 || !ends && plain.len() == all && plain.into_iter().all(|plain| plain)
}

/// Whether the first thing that is visible or a judgement is visible.
fn begins_visibly(statements: &[Statement]) -> Option<bool> {
    statements.iter().find_map(|statement| match statement {
        Statement::Assert(_) | Statement::Assume(_) => Some(false),
        Statement::Set(..) | Statement::Break | Statement::Continue => None,
        Statement::Return(_) | Statement::Leave(_) => None,
        Statement::If(_, then, otherwise) => match (begins_visibly(then), begins_visibly(otherwise)) {
            (Some(true), Some(true)) => Some(true),
            (Some(false), _) | (_, Some(false)) => Some(false),
            _ => None,
        },
        Statement::Repeat(_, body) | Statement::Loop(body) => begins_visibly(body),
        _ => Some(true),
    })
}

fn leaves_loops(statements: &[Statement], in_loop: bool) -> bool {
    statements.iter().all(|statement| match statement {
        Statement::Break | Statement::Continue => in_loop,
        Statement::Repeat(_, body) | Statement::Loop(body) => leaves_loops(body, true),
        Statement::If(_, then, otherwise) => leaves_loops(then, in_loop) && leaves_loops(otherwise, in_loop),
        _ => true,
    })
}
