//! Programs that are a little smaller.

use super::ast::*;

/// Goes on to smaller programs for as long as they are wanted.
pub fn shrink(program: &Program, wanted: &mut dyn FnMut(&Program) -> bool) -> Program {
    let mut smallest = program.clone();
    'again: loop {
        for smaller in smaller(&smallest) {
            if super::fits(&smaller) && wanted(&smaller) {
                smallest = smaller;
                continue 'again;
            }
        }
        return smallest;
    }
}

/// Programs with one thing less, the most promising ones first.
pub fn smaller(program: &Program) -> Vec<Program> {
    let mut all = Vec::new();
    for thread in (1..program.threads.len()).rev() {
        all.extend(without_thread(program, thread));
    }
    for thread in 0..program.threads.len() {
        let with = |body: Vec<Statement>| {
            let mut smaller = program.clone();
            smaller.threads[thread].body = body;
            clean(&mut smaller);
            smaller
        };
        all.extend(lists(&program.threads[thread].body).into_iter().map(with));
    }
    for body in lists(&program.once[0]) {
        let mut smaller = program.clone();
        smaller.once[0] = body;
        all.push(smaller);
    }
    for (number, via) in program.carriers.iter().enumerate() {
        if *via != Via::Word {
            let mut smaller = program.clone();
            smaller.carriers[number] = Via::Word;
            all.push(smaller);
        }
    }
    for (number, kind) in program.mutexes.iter().enumerate() {
        if *kind != MutexKind::Normal {
            let mut smaller = program.clone();
            smaller.mutexes[number] = MutexKind::Normal;
            all.push(smaller);
        }
    }
    all.retain(|smaller| smaller != program);
    all
}

/// Without a thread that is the last one: others keep their numbers.
fn without_thread(program: &Program, thread: usize) -> Option<Program> {
    let same = program.threads.iter().any(|of| of.same_as == Some(thread as u8));
    let mut smaller = program.clone();
    if same {
        return None;
    }
    if thread + 1 == program.threads.len() {
        smaller.threads.pop();
    } else {
        smaller.threads[thread] = Thread::default();
    }
    for of in &mut smaller.threads {
        retain(&mut of.body, &|statement| about(statement) != Some(thread as u8));
    }
    Some(smaller)
}

/// The thread that a statement creates, waits for or lets go.
fn about(statement: &Statement) -> Option<u8> {
    match statement {
        Statement::Create { thread, .. } | Statement::Join { thread, .. } | Statement::Detach(thread) => {
            Some(*thread)
        }
        _ => None,
    }
}

/// Takes away joins of threads that are never created.
fn clean(program: &mut Program) {
    let mut created = Vec::new();
    program.each(&mut |_, statement| {
        if let Statement::Create { thread, .. } = statement {
            created.push(*thread);
        }
    });
    for of in &mut program.threads {
        retain(&mut of.body, &|statement| about(statement).is_none_or(|thread| created.contains(&thread)));
    }
}

fn retain(list: &mut Vec<Statement>, keep: &dyn Fn(&Statement) -> bool) {
    list.retain(keep);
    for statement in list {
        statement.bodies_mut().into_iter().for_each(|body| retain(body, keep));
    }
}

/// Lists with one thing less.
fn lists(list: &[Statement]) -> Vec<Vec<Statement>> {
    let mut all = Vec::new();
    if list.len() > 3 {
        all.push(list[..list.len() / 2].to_vec());
        all.push(list[list.len() / 2..].to_vec());
    }
    for at in 0..list.len() {
        let mut less = list.to_vec();
        less.remove(at);
        all.push(less);
    }
    for (at, statement) in list.iter().enumerate() {
        let with = |instead: Vec<Statement>| {
            let mut less = list.to_vec();
            less.splice(at..=at, instead);
            less
        };
        // What is in it instead of it.
        all.extend(statement.bodies().into_iter().map(|body| with(body.clone())));
        all.extend(simpler(statement).into_iter().map(|simpler| with(vec![simpler])));
        for (which, body) in statement.bodies().into_iter().enumerate() {
            for less in lists(body) {
                let mut statement = statement.clone();
                if let Some(body) = statement.bodies_mut().into_iter().nth(which) {
                    *body = less;
                }
                all.push(with(vec![statement]));
            }
        }
    }
    all
}

/// Statements that are simpler than this one.
fn simpler(statement: &Statement) -> Vec<Statement> {
    let mut all = Vec::new();
    let mut vary = |change: &dyn Fn(&mut Statement)| {
        let mut simpler = statement.clone();
        change(&mut simpler);
        if simpler != *statement {
            all.push(simpler);
        }
    };
    match statement {
        Statement::Load { place, .. } | Statement::Store { place, .. }
            if matches!(place, Place::Atomic(2 | 3)) =>
        {
            vary(&|simpler| {
                if let Statement::Load { place, .. } | Statement::Store { place, .. } = simpler {
                    *place = Place::Atomic(0);
                }
            });
        }
        Statement::Loop { rounds, .. } if *rounds > 1 => vary(&|simpler| {
            if let Statement::Loop { rounds, .. } = simpler {
                *rounds -= 1;
            }
        }),
        Statement::Section { how, .. } if *how != How::Wait => {
            vary(&|simpler| {
                if let Statement::Section { how, .. } = simpler {
                    *how = How::Try;
                }
            });
            vary(&|simpler| {
                if let Statement::Section { how, otherwise, .. } = simpler {
                    *how = How::Wait;
                    otherwise.clear();
                }
            });
        }
        Statement::Take { how, .. } if *how != How::Wait => vary(&|simpler| {
            if let Statement::Take { how, .. } = simpler {
                *how = How::Wait;
            }
        }),
        Statement::Update { register: Some(_), .. } => vary(&|simpler| {
            if let Statement::Update { register, .. } = simpler {
                *register = None;
            }
        }),
        Statement::CompareExchange { .. } => {
            vary(&|simpler| {
                if let Statement::CompareExchange { weak, .. } = simpler {
                    *weak = false;
                }
            });
            vary(&|simpler| {
                if let Statement::CompareExchange { seen, .. } = simpler {
                    *seen = None;
                }
            });
        }
        Statement::Join { .. } => vary(&|simpler| {
            if let Statement::Join { register, .. } = simpler {
                *register = None;
            }
        }),
        Statement::Assert(_) => {
            let never = Condition { terms: vec![(0, Is::Equal, 99)], negated: false };
            vary(&|simpler| *simpler = Statement::Assert(never.clone()));
        }
        _ => {}
    }
    vary(&strengthen);
    all
}

/// Makes a statement sequentially consistent, which is easiest to understand.
fn strengthen(statement: &mut Statement) {
    match statement {
        Statement::Load { order, place, .. } | Statement::Store { order, place, .. } if place.is_atomic() => {
            *order = Order::Sequential;
        }
        Statement::Update { order, .. }
        | Statement::Fetch { order, .. }
        | Statement::Publish { order, .. } => {
            *order = Order::Sequential;
        }
        Statement::CompareExchange { success, failure, .. } => {
            (*success, *failure) = (Order::Sequential, Order::Sequential);
        }
        _ => {}
    }
}
