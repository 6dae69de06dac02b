//! Random programs: some shapes, then how threads come and go, then small changes.

use super::ast::*;
use super::build::{Builder, when};
use super::shapes::access;
use crate::random::Random;

/// Larger programs are not compared.
const MOST_STATEMENTS: usize = 30;

/// The program with a number.
pub fn generate(language: Language, number: u64) -> Program {
    let mut random = Random::new(number.wrapping_mul(3).wrapping_add(language as u64));
    loop {
        let seed = random.number();
        let mut program = attempt(language, Random::new(seed));
        if random.once_in(4) {
            program.threads.iter_mut().for_each(|thread| change_what_is_new(&mut random, &mut thread.body));
        }
        if program.size() <= MOST_STATEMENTS && super::fits(&program) {
            return program;
        }
    }
}

fn attempt(language: Language, mut random: Random) -> Program {
    let threads = 2 + [0, 0, 0, 1, 1, 1, 1, 2][random.below(8)];
    let shapes = 1 + [0, 0, 0, 1, 1][random.below(5)];
    let mut b = Builder::new(language, random, threads);
    for _ in 0..shapes {
        b.add_shape();
    }
    for _ in 0..b.random.below(3) {
        disturb(&mut b);
    }
    for thread in 1..threads {
        while b.program.threads[thread].body.is_empty() {
            disturb_thread(&mut b, thread);
        }
    }
    if threads > 2 && b.once_in(8) {
        make_alike(&mut b);
    }
    live(&mut b);
    b.program
}

/// Objects that a thread has just made are changed in an atomic way before another one knows them.
fn change_what_is_new(random: &mut Random, list: &mut Vec<Statement>) {
    let all = [Order::Relaxed, Order::Acquire, Order::Release, Order::AcquireRelease, Order::Sequential];
    let made = |statement: &Statement| match *statement {
        Statement::Allocate { pointer, .. } | Statement::Address { pointer, .. } => Some(pointer),
        _ => None,
    };
    for at in (0..list.len()).rev() {
        list[at].bodies_mut().into_iter().for_each(|body| change_what_is_new(random, body));
        let Some(pointer) = made(&list[at]) else { continue };
        let (place, order) = (Place::Field(pointer), all[random.below(all.len())]);
        let value = Value::Number(1 + random.below(3) as u8);
        let change = match random.below(3) {
            0 => Statement::Update { register: None, update: Update::Exchange, place, value, order },
            _ => Statement::Store { place, value, order: order.of_store() },
        };
        list.insert(at + 1, change);
    }
}

/// A thread does the same as another.
fn make_alike(b: &mut Builder) {
    let last = b.program.threads.len() - 1;
    let before = last - 1;
    if before > 0 {
        b.program.threads[last] = Thread { body: Vec::new(), same_as: Some(before as u8) };
    }
}

/// A small change somewhere in a thread.
fn disturb(b: &mut Builder) {
    let thread = b.random.below(b.program.threads.len());
    disturb_thread(b, thread);
}

fn disturb_thread(b: &mut Builder, thread: usize) {
    let length = b.program.threads[thread].body.len();
    let at = b.random.below(length + 1);
    match b.random.below(6) {
        0 => {
            let statement = access(b, thread, &[Place::Atomic(0), Place::Atomic(1)]);
            b.program.threads[thread].body.insert(at, statement);
        }
        // What follows depends on what is read.
        1 if length > 0 => {
            let read = Place::Atomic(b.random.below(2) as u8);
            let (look, register) = b.load(thread, read, Order::Acquire);
            let rest = b.program.threads[thread].body.split_off(at.min(length - 1));
            let is = [Is::Equal, Is::Other][b.random.below(2)];
            let value = b.random.below(3) as u8;
            let guarded = when(register, is, value, rest);
            b.extend(thread, [look, guarded]);
        }
        2 if length > 1 => b.program.threads[thread].body.swap(0, at.min(length - 1)),
        3 => b.program.threads[thread].body.insert(at, Statement::Yield),
        4 if length > 0 => {
            let copied = b.program.threads[thread].body[at.min(length - 1)].clone();
            if copied.bodies().is_empty() {
                b.program.threads[thread].body.push(copied);
            }
        }
        _ => {
            let register = b.register(thread);
            let (look, found) =
                (Statement::Load { register, place: Place::Atomic(0), order: Order::Sequential }, register);
            let value = b.random.below(4) as u8;
            b.program.threads[thread].body.insert(at, look);
            if b.once_in(3) {
                let further = super::build::assert_not(vec![(found, Is::Equal, value)]);
                b.program.threads[thread].body.insert(at + 1, further);
            }
        }
    }
}

/// Threads are created and waited for, mostly by main: at once or between what main does itself.
fn live(b: &mut Builder) {
    let count = b.program.threads.len();
    let own = std::mem::take(&mut b.program.threads[0].body);
    let early = own.iter().take_while(|statement| is_setup(statement)).count();
    let mut own = own.into_iter();
    let mut main: Vec<Statement> = own.by_ref().take(early).collect();
    let mut rest: Vec<Statement> = own.collect();
    let created = |main: &[Statement], rest: &[Statement], thread: usize| {
        let is = |statement: &Statement| matches!(statement, Statement::Create { thread: of, .. } if usize::from(*of) == thread);
        main.iter().chain(rest).any(is)
    };
    let mut joined_by_main: Vec<usize> = (1..count).collect();
    let mut detached = Vec::new();
    // One thread may be the child of another.
    let alike = b.program.threads[count - 1].same_as.is_some();
    let nested = (count > 2 && !alike && b.once_in(7)).then_some(count - 1);
    for thread in 1..count {
        if created(&main, &rest, thread) || nested == Some(thread) {
            continue;
        }
        let create = Statement::Create { thread: thread as u8, pointer: None };
        match b.random.below(8) {
            // Between what main does.
            0 if !rest.is_empty() => rest.insert(b.random.below(rest.len()), create),
            // Only if something was seen.
            1 if b.program.threads[thread].same_as.is_none() && b.once_in(2) => {
                let (look, register) = b.load(0, Place::Atomic(0), Order::Acquire);
                let value = b.random.below(2) as u8;
                let join = Statement::Join { thread: thread as u8, register: None };
                main.extend([look, when(register, Is::Equal, value, vec![create, join])]);
                joined_by_main.retain(|&of| of != thread);
            }
            _ => main.push(create),
        }
    }
    if let Some(child) = nested {
        nest(b, child, &mut joined_by_main);
    }
    if b.once_in(12)
        && let Some(thread) = joined_by_main.pop()
    {
        detached.push(thread);
    }
    main.append(&mut rest);
    let ends = match b.random.below(24) {
        0..2 => Some(End::Exit),
        2 => Some(End::Return),
        _ => None,
    };
    for thread in detached {
        insert_after_creation(b, &mut main, thread, Statement::Detach(thread as u8), 3);
    }
    for thread in joined_by_main {
        if ends.is_some() && !b.once_in(4) {
            continue;
        }
        let register = b.once_in(4).then(|| b.register(0));
        let join = Statement::Join { thread: thread as u8, register };
        if b.once_in(3) {
            insert_after_creation(b, &mut main, thread, join, 1);
        } else {
            main.push(join);
        }
    }
    if ends.is_none() {
        for number in 0..b.random.below(3) as u8 {
            let place = if b.once_in(3) { Place::Plain(number) } else { Place::Atomic(number) };
            main.push(b.load(0, place, Order::Relaxed).0);
        }
    }
    main.extend(ends.map(Statement::End));
    b.program.threads[0].body = main;
    for thread in 1..count {
        if b.once_in(16) && b.program.threads[thread].same_as.is_none() {
            b.add(thread, Statement::End(End::Exit));
        }
    }
}

/// What main does before there are threads.
fn is_setup(statement: &Statement) -> bool {
    matches!(
        statement,
        Statement::Allocate { .. }
            | Statement::Address { .. }
            | Statement::Create { .. }
            | Statement::Publish { .. }
    )
}

/// A thread is created by another one, which waits for it, lets it go, or leaves it to main.
fn nest(b: &mut Builder, child: usize, joined_by_main: &mut Vec<usize>) {
    let parent = 1;
    let length = b.program.threads[parent].body.len();
    let at = b.random.below(length + 1);
    let (create, join) = (
        Statement::Create { thread: child as u8, pointer: None },
        Statement::Join { thread: child as u8, register: None },
    );
    b.program.threads[parent].body.insert(at, create);
    joined_by_main.retain(|&of| of != child);
    match b.random.below(3) {
        0 => b.program.threads[parent].body.insert(at + 1, Statement::Detach(child as u8)),
        _ => b.add(parent, join),
    }
}

/// Somewhere behind the creation of a thread, or at the end once in `times`.
fn insert_after_creation(
    b: &mut Builder,
    main: &mut Vec<Statement>,
    thread: usize,
    statement: Statement,
    times: usize,
) {
    let is = |statement: &Statement| matches!(statement, Statement::Create { thread: of, .. } if usize::from(*of) == thread);
    let Some(created) = main.iter().position(is) else { return };
    let at = created + 1 + b.random.below(main.len() - created);
    match times > 1 && b.once_in(times) {
        true => main.push(statement),
        false => main.insert(at, statement),
    }
}
