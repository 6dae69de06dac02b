//! Shapes of locks.

use crate::programs::ast::*;
use crate::programs::build::{Builder, assert_that, when};

/// Reads a plain integer and writes one more.
pub fn increment(b: &mut Builder, thread: usize, plain: u8) -> Vec<Statement> {
    let (load, register) = b.load(thread, Place::Plain(plain), Order::Relaxed);
    let place = Place::Plain(plain);
    vec![load, Statement::Store { place, value: Value::Register(register, 1), order: Order::Relaxed }]
}

/// A counter with a mutex; a thread that finds a certain value does something more.
pub fn counter(b: &mut Builder) {
    let count = 2 + b.random.below(2);
    for thread in b.roles(count) {
        let mut body = increment(b, thread, 0);
        if let (true, Some(&Statement::Load { register, .. })) = (b.once_in(2), body.first()) {
            let value = b.random.below(3) as u8;
            let further = match b.once_in(2) {
                true => b.store(Place::Atomic(0), 2, Order::Release),
                false => assert_that(register, Is::Other, value),
            };
            body.push(when(register, Is::Equal, value, vec![further]));
        }
        let section = b.section(Guard::Mutex(0), body);
        b.add(thread, section);
    }
}

/// Two locks, mostly in the same order.
pub fn two_locks(b: &mut Builder) {
    for thread in b.roles(2) {
        let body = increment(b, thread, 1);
        let inner = b.section(Guard::Mutex(1), body);
        let (first, inner) = match b.once_in(4) {
            true => match inner {
                Statement::Section { how, body, otherwise, .. } => {
                    (Guard::Mutex(1), Statement::Section { guard: Guard::Mutex(0), how, body, otherwise })
                }
                other => (Guard::Mutex(0), other),
            },
            false => (Guard::Mutex(0), inner),
        };
        let section = b.section(first, vec![inner]);
        b.add(thread, section);
    }
}

/// A read-write lock.
pub fn readers_and_writers(b: &mut Builder) {
    let roles = b.roles(3);
    for (index, thread) in roles.into_iter().enumerate() {
        let (guard, body) = match index {
            0 => (Guard::Writing(0), increment(b, thread, 2)),
            _ => (Guard::Reading(0), vec![b.load(thread, Place::Plain(2), Order::Relaxed).0]),
        };
        let section = b.section(guard, body);
        b.add(thread, section);
    }
}

/// A spin lock.
pub fn spinning(b: &mut Builder) {
    for thread in b.roles(2) {
        let body = increment(b, thread, 0);
        let section = b.section(Guard::Spin(0), body);
        b.add(thread, section);
    }
}

/// A thread that does not get the lock does something else.
pub fn tried(b: &mut Builder) {
    let roles = b.roles(2);
    let guard = [Guard::Mutex(0), Guard::Writing(0), Guard::Spin(0)][b.random.below(3)];
    let body = vec![b.store(Place::Atomic(0), 1, Order::Relaxed)];
    b.add(roles[0], Statement::Section { guard, how: How::Wait, body, otherwise: Vec::new() });
    let (seen, _) = b.load(roles[1], Place::Atomic(0), Order::Relaxed);
    let (missed, register) = b.load(roles[1], Place::Atomic(0), Order::Relaxed);
    let mut otherwise = vec![missed];
    if b.once_in(3) {
        otherwise.push(assert_that(register, Is::Equal, b.random.below(2) as u8));
    }
    let how = if b.once_in(3) { How::Timed } else { How::Try };
    b.add(roles[1], Statement::Section { guard, how, body: vec![seen], otherwise });
}

/// The same lock twice.
pub fn recursive(b: &mut Builder) {
    if !b.once_in(5) {
        b.program.mutexes[1] = MutexKind::Recursive;
    }
    for thread in b.roles(2) {
        let body = increment(b, thread, 0);
        let inner = b.section(Guard::Mutex(1), body);
        let section = b.section(Guard::Mutex(1), vec![inner]);
        b.add(thread, section);
    }
}
