//! Shapes of waiting.

use super::locks::increment;
use crate::programs::ast::*;
use crate::programs::build::{Builder, assert_that, when};

fn locked(body: Vec<Statement>) -> Statement {
    Statement::Section { guard: Guard::Mutex(0), how: How::Wait, body, otherwise: Vec::new() }
}

/// Things are made and taken, with a condition variable.
pub fn producer_consumer(b: &mut Builder) {
    let roles = b.roles(3);
    let consumers = 1 + b.random.below(2);
    let mut made = increment(b, roles[0], 3);
    made.push(Statement::Signal { condition: 0, all: b.once_in(3) });
    let section = locked(made);
    b.add(roles[0], section.clone());
    if consumers == 2 {
        b.add(roles[0], section);
    }
    for &thread in &roles[1..=consumers] {
        let again = !b.once_in(4);
        let wait = Statement::WaitFor { condition: 0, mutex: 0, plain: 3, value: 1, again, timed: false };
        let (taken, register) = b.load(thread, Place::Plain(3), Order::Relaxed);
        let mut body = vec![wait, taken];
        if b.once_in(2) {
            body.push(assert_that(register, Is::AtLeast, 1));
        }
        b.add(thread, locked(body));
    }
}

/// A thread waits for a flag, once or again, perhaps not for ever.
pub fn condition(b: &mut Builder) {
    let roles = b.roles(2);
    let (again, timed) = (!b.once_in(3), b.once_in(4));
    let wait = Statement::WaitFor { condition: 1, mutex: 0, plain: 2, value: 1, again, timed };
    let (read, register) = b.load(roles[1], Place::Plain(2), Order::Relaxed);
    let mut body = vec![wait, read];
    if b.once_in(3) {
        body.push(assert_that(register, Is::Equal, 1));
    }
    b.add(roles[1], locked(body));
    let set = b.store(Place::Plain(2), 1, Order::Relaxed);
    let signal = Statement::Signal { condition: 1, all: b.once_in(2) };
    match b.random.below(3) {
        0 => b.extend(roles[0], [locked(vec![set]), signal]),
        1 => b.add(roles[0], locked(vec![signal, set])),
        _ => b.add(roles[0], locked(vec![set, signal])),
    }
}

/// What was made is handed over by a semaphore.
pub fn semaphore(b: &mut Builder) {
    let roles = b.roles(2);
    let data = if b.once_in(2) { Place::Plain(1) } else { Place::Atomic(0) };
    let written = b.store(data.clone(), 2, Order::Relaxed);
    b.extend(roles[0], [written, Statement::Post(0)]);
    let (read, register) = b.load(roles[1], data, Order::Relaxed);
    let mut then = vec![read];
    if b.once_in(2) {
        then.push(assert_that(register, Is::Equal, 2));
    }
    let how = b.how();
    b.add(roles[1], Statement::Take { semaphore: 0, how, then });
}

/// A thread looks at the value of a semaphore.
pub fn semaphore_value(b: &mut Builder) {
    let roles = b.roles(2);
    let data = if b.once_in(2) { Place::Plain(1) } else { Place::Atomic(0) };
    let written = b.store(data.clone(), 1, Order::Relaxed);
    b.extend(roles[0], [written, Statement::Post(1)]);
    let register = b.register(roles[1]);
    let (read, value) = b.load(roles[1], data, Order::Relaxed);
    let initial = b.program.semaphores[1];
    let then = vec![read, assert_that(value, Is::Equal, 1)];
    let count = Statement::Count { semaphore: 1, register };
    b.extend(roles[1], [count, when(register, Is::AtLeast, initial + 1, then)]);
}

/// Phases.
pub fn barrier(b: &mut Builder) {
    let count = 2 + b.random.below(2).min(b.program.threads.len() - 2);
    let roles = b.roles(count);
    b.program.barriers[0] = count as u8;
    for (index, &thread) in roles.iter().enumerate() {
        let own = Place::Plain(index as u8);
        let written = b.store(own, 1 + index as u8, Order::Relaxed);
        let register = b.once_in(2).then(|| b.register(thread));
        let (read, _) = b.load(thread, Place::Plain(((index + 1) % count) as u8), Order::Relaxed);
        b.extend(thread, [written, Statement::Barrier { barrier: 0, register }, read]);
    }
}

/// Waiting for a word to change.
pub fn futex(b: &mut Builder) {
    let roles = b.roles(2);
    let data = Place::Atomic(0);
    let written = b.store(data.clone(), 1, Order::Relaxed);
    let count = 1 + b.random.below(2) as u8;
    b.extend(roles[0], [written, Statement::FutexWake { futex: 0, count }]);
    let (read, _) = b.load(roles[1], data, Order::Relaxed);
    b.extend(roles[1], [Statement::FutexWait { futex: 0, value: 0 }, read]);
}

/// Waiting in a loop for a flag.
pub fn await_flag(b: &mut Builder) {
    let roles = b.roles(2);
    let data = if b.once_in(2) { Place::Plain(2) } else { Place::Atomic(0) };
    let written = b.store(data.clone(), 1, Order::Relaxed);
    let set = b.store(Place::Atomic(3), 1, Order::Release);
    b.extend(roles[0], [written, set]);
    let order = b.order(Order::Acquire).of_load();
    let (read, register) = b.load(roles[1], data, Order::Relaxed);
    b.extend(roles[1], [Statement::Await { place: Place::Atomic(3), value: 1, order }, read]);
    if b.once_in(2) {
        b.add(roles[1], assert_that(register, Is::Equal, 1));
    }
}

/// Something is made ready once.
pub fn once(b: &mut Builder) {
    if b.program.once[0].is_empty() {
        b.program.once[0] = vec![b.store(Place::Plain(3), 2, Order::Relaxed)];
        if b.once_in(2) {
            let counted = b.update(None, Update::Add, Place::Atomic(1), 1, Order::Relaxed);
            b.program.once[0].push(counted);
        }
    }
    for thread in b.roles(2) {
        let (read, _) = b.load(thread, Place::Plain(3), Order::Relaxed);
        b.extend(thread, [Statement::Once(0), read]);
    }
}
