//! Shapes of algorithms without locks.

use super::locks::increment;
use crate::programs::ast::*;
use crate::programs::build::{Builder, assert_that, when};

/// Peterson's algorithm, with one look instead of the loop: a thread that may go in does.
pub fn peterson(b: &mut Builder) {
    let roles = b.roles(2);
    for (thread, own, other) in [(roles[0], 0, 1), (roles[1], 1, 0)] {
        let raise = b.store(Place::Atomic(own), 1, Order::Sequential);
        let turn = b.store(Place::Atomic(3), other, Order::Sequential);
        let (flag, raised) = b.load(thread, Place::Atomic(other), Order::Sequential);
        let (whose, turned) = b.load(thread, Place::Atomic(3), Order::Sequential);
        let body = increment(b, thread, 0);
        let lower = b.store(Place::Atomic(own), 0, Order::Release);
        let condition =
            Condition { terms: vec![(raised, Is::Equal, 1), (turned, Is::Equal, other)], negated: true };
        let enter = Statement::If { condition, then: body, otherwise: Vec::new() };
        b.extend(thread, [raise, turn, flag, whose, enter, lower]);
    }
}

/// A lock with tickets: the thread that has the number that is served goes in.
pub fn ticket(b: &mut Builder) {
    for thread in b.roles(2) {
        let register = b.register(thread);
        let draw = b.update(Some(register), Update::Add, Place::Atomic(0), 1, Order::Relaxed);
        let (look, served) = b.load(thread, Place::Atomic(1), Order::Acquire);
        let body = increment(b, thread, 0);
        let leave = b.update(None, Update::Add, Place::Atomic(1), 1, Order::Release);
        let own = |number: u8, mut body: Vec<Statement>| {
            body.push(leave.clone());
            let terms = vec![(register, Is::Equal, number), (served, Is::Equal, number)];
            let condition = Condition { terms, negated: false };
            Statement::If { condition, then: body, otherwise: Vec::new() }
        };
        let (first, second) = (own(0, body.clone()), own(1, body));
        b.extend(thread, [draw, look, first, second]);
    }
}

/// A sequence lock: readers look whether something was written meanwhile.
pub fn sequence_lock(b: &mut Builder) {
    let roles = b.roles(2);
    let (sequence, one, other) = (Place::Atomic(2), Place::Atomic(0), Place::Atomic(1));
    let begin = b.store(sequence.clone(), 1, Order::Relaxed);
    let fence = Statement::Fence(Order::Release);
    let first = b.store(one.clone(), 1, Order::Relaxed);
    let second = b.store(other.clone(), 1, Order::Relaxed);
    let end = b.store(sequence.clone(), 2, Order::Release);
    b.extend(roles[0], [begin, fence, first, second, end]);
    let reader = roles[1];
    let (before, a) = b.load(reader, sequence.clone(), Order::Acquire);
    let (x, c) = b.load(reader, one, Order::Relaxed);
    let (y, d) = b.load(reader, other, Order::Relaxed);
    let fence = Statement::Fence(Order::Acquire);
    let (after, e) = b.load(reader, sequence, Order::Relaxed);
    b.extend(reader, [before, x, y, fence, after]);
    if b.once_in(2) {
        let terms = vec![(a, Is::Equal, 0), (e, Is::Equal, 0), (c, Is::Equal, 0), (d, Is::Equal, 1)];
        b.add(reader, Statement::Assert(Condition { terms, negated: true }));
    }
}

/// Double-checked initialisation: a thread that finds nothing there looks again with a lock and makes it.
pub fn double_checked(b: &mut Builder) {
    for thread in b.roles(2) {
        let (look, register) = b.load(thread, Place::Atomic(3), Order::Acquire);
        let (again, second) = b.load(thread, Place::Atomic(3), Order::Relaxed);
        let mut make = increment(b, thread, 1);
        make.push(b.store(Place::Atomic(3), 1, Order::Release));
        let body = vec![again, when(second, Is::Equal, 0, make)];
        let section =
            Statement::Section { guard: Guard::Mutex(1), how: How::Wait, body, otherwise: Vec::new() };
        let (read, value) = b.load(thread, Place::Plain(1), Order::Relaxed);
        b.extend(thread, [look, when(register, Is::Equal, 0, vec![section]), read]);
        if b.once_in(2) {
            b.add(thread, assert_that(value, Is::Equal, 1));
        }
    }
}

/// A lock of one byte; a thread that does not get it goes on without.
pub fn test_and_set(b: &mut Builder) {
    for thread in b.roles(2) {
        let register = b.register(thread);
        let lock = match b.once_in(2) {
            true => b.update(Some(register), Update::Exchange, Place::Atomic(3), 1, Order::Acquire),
            false => b.exchange(None, Some(register), Place::Atomic(3), (0, 1), Order::Acquire),
        };
        let mut body = increment(b, thread, 2);
        body.push(b.store(Place::Atomic(3), 0, Order::Release));
        // A weak exchange that fails for no reason has seen a 0 as well.
        let lock = match lock {
            Statement::CompareExchange { seen, place, expected, desired, success, failure, .. } => {
                Statement::CompareExchange {
                    ok: None,
                    seen,
                    place,
                    expected,
                    desired,
                    weak: false,
                    success,
                    failure,
                }
            }
            other => other,
        };
        b.extend(thread, [lock, when(register, Is::Equal, 0, body)]);
    }
}

/// Reference counting: the thread that gives back the last reference frees the object.
pub fn references(b: &mut Builder) {
    let roles = b.roles(2);
    let (main, order) = (roles[0], Order::AcquireRelease);
    b.add(main, Statement::Allocate { pointer: 1, value: 2 });
    let publish = Statement::Publish { pointer: 1, carrier: 1, order: b.order(Order::Release).of_store() };
    b.add(main, publish);
    for (index, thread) in roles.into_iter().enumerate() {
        if index == 1 {
            let order = b.order(Order::Acquire).of_load();
            b.add(thread, Statement::Fetch { pointer: 1, carrier: 1, order });
        }
        let (read, _) = b.load(thread, Place::PlainField(1), Order::Relaxed);
        let register = b.register(thread);
        let drop = b.update(Some(register), Update::Subtract, Place::Field(1), 1, order);
        b.extend(thread, [read, drop, when(register, Is::Equal, 1, vec![Statement::Free(1)])]);
    }
}
