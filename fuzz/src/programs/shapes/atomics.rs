//! Shapes of single atomic accesses.

use crate::programs::ast::*;
use crate::programs::build::{Builder, assert_not, assert_that, when};

/// Message passing: something is written, then a flag is set; a thread that sees the flag looks at it.
pub fn message(b: &mut Builder) {
    let roles = b.roles(2);
    let (writer, reader) = (roles[0], roles[1]);
    let data = if b.once_in(2) { Place::Plain(0) } else { b.atomic() };
    let flag = Place::Atomic(1);
    let written = b.store(data.clone(), 3, Order::Relaxed);
    let set = b.store(flag.clone(), 1, Order::Release);
    b.extend(writer, [written, set]);
    let (seen, register) = b.load(reader, flag, Order::Acquire);
    let (looked, value) = b.load(reader, data, Order::Relaxed);
    let mut then = vec![looked];
    if b.once_in(2) {
        then.push(assert_that(value, Is::Equal, 3));
    }
    b.extend(reader, [seen, when(register, Is::Equal, 1, then)]);
}

/// Store buffering: each thread sets its own flag and looks at the other's; one that sees nothing goes in.
pub fn buffering(b: &mut Builder) {
    let roles = b.roles(2);
    let (inside, guarded) = (Place::Plain(1), b.once_in(2));
    for (thread, own, other) in [(roles[0], 0, 1), (roles[1], 1, 0)] {
        let set = match b.once_in(4) {
            true => b.update(None, Update::Exchange, Place::Atomic(own), 1, Order::Sequential),
            false => b.store(Place::Atomic(own), 1, Order::Sequential),
        };
        b.add(thread, set);
        if b.once_in(4) {
            b.add(thread, Statement::Fence(Order::Sequential));
        }
        let (look, register) = b.load(thread, Place::Atomic(other), Order::Sequential);
        b.add(thread, look);
        if guarded {
            let (seen, value) = b.load(thread, inside.clone(), Order::Relaxed);
            let add = Statement::Store {
                place: inside.clone(),
                value: Value::Register(value, 1),
                order: Order::Relaxed,
            };
            b.add(thread, when(register, Is::Equal, 0, vec![seen, add]));
        }
    }
}

/// Random accesses to two or three places, as litmus tests have them.
pub fn litmus(b: &mut Builder) {
    let places = [Place::Atomic(0), Place::Atomic(1), Place::Atomic(2)];
    let few = 2 + b.random.below(2);
    let count = 2 + b.random.below(2);
    for thread in b.roles(count) {
        for _ in 0..2 + b.random.below(2) {
            let statement = access(b, thread, &places[..few]);
            b.add(thread, statement);
        }
    }
}

/// One access to one of some places.
pub fn access(b: &mut Builder, thread: usize, places: &[Place]) -> Statement {
    let place = places[b.random.below(places.len())].clone();
    let orders = [Order::Relaxed, Order::Acquire, Order::AcquireRelease, Order::Sequential];
    let needed = orders[b.random.below(4)];
    let value = 1 + b.random.below(2) as u8;
    match b.random.below(12) {
        0..5 => b.load(thread, place, needed).0,
        5..9 => b.store(place, value, needed),
        9 => {
            let (register, update) = (
                b.register(thread),
                [Update::Add, Update::Exchange, Update::Or, Update::Xor][b.random.below(4)],
            );
            b.update(Some(register), update, place, value, needed)
        }
        10 => {
            let register = b.register(thread);
            let expected = b.random.below(3) as u8;
            b.exchange(Some(register), None, place, (expected, value), needed)
        }
        _ => {
            let fences = [Order::Acquire, Order::Release, Order::AcquireRelease, Order::Sequential];
            Statement::Fence(fences[b.random.below(4)])
        }
    }
}

/// A counter has to have exactly one of its values for something to happen.
pub fn exact_count(b: &mut Builder) {
    let roles = b.roles(3);
    let (writer, reader) = (roles[0], roles[1]);
    let rounds = 2 + b.random.below(4) as u8;
    let place = Place::Atomic(b.random.below(4) as u8);
    let order = b.order(Order::Release);
    let step = match b.random.below(3) {
        0 => Statement::Store { place: place.clone(), value: Value::Round, order: order.of_store() },
        1 => b.update(None, Update::Add, place.clone(), 1, Order::AcquireRelease),
        _ => Statement::Retry { place: place.clone(), add: 1, order },
    };
    b.add(writer, Statement::Loop { rounds, body: vec![step.clone()] });
    if b.once_in(3) {
        b.add(roles[2], Statement::Loop { rounds: 1, body: vec![step] });
    }
    let (data, value) = (Place::Atomic(1), 5);
    if b.once_in(2) {
        let late = b.store(data.clone(), value, Order::Release);
        b.add(writer, late);
    }
    let (look, register) = b.load(reader, place, Order::Acquire);
    let wanted = 1 + b.random.below(usize::from(rounds)) as u8;
    let (then, second) = b.load(reader, data, Order::Acquire);
    let mut inner = vec![then];
    match b.random.below(3) {
        0 => inner.push(assert_that(second, Is::Equal, value)),
        1 => inner.push(assert_that(second, Is::Other, value)),
        _ => {}
    }
    b.extend(reader, [look, when(register, Is::Equal, wanted, inner)]);
}

/// Threads that only look, one of which another one may wait for.
pub fn observers(b: &mut Builder) {
    let roles = b.roles(3);
    let (x, y) = (Place::Atomic(0), Place::Atomic(1));
    let first = b.store(x.clone(), 1, Order::Sequential);
    let second = b.store(y.clone(), 1, Order::Sequential);
    b.extend(roles[0], [first, second]);
    for &thread in &roles[1..] {
        let (one, a) = b.load(thread, y.clone(), Order::Sequential);
        let (other, c) = b.load(thread, x.clone(), Order::Sequential);
        b.extend(thread, [one, other]);
        if b.once_in(3) {
            let values = (b.random.below(2) as u8, b.random.below(2) as u8);
            b.add(thread, assert_not(vec![(a, Is::Equal, values.0), (c, Is::Equal, values.1)]));
        }
    }
}

/// Parts of one word.
pub fn parts(b: &mut Builder) {
    let count = 2 + b.random.below(2);
    for thread in b.roles(count) {
        for _ in 0..1 + b.random.below(2) {
            let size = [1, 2, 4, 8][b.random.below(4)];
            let place = Place::Part(size, b.random.below(8 / usize::from(size)) as u8);
            let value = 1 + b.random.below(3) as u8;
            let statement = match b.random.below(5) {
                0..2 => b.load(thread, place, Order::Acquire).0,
                2..4 => b.store(place, value, Order::Release),
                _ => {
                    let register = b.register(thread);
                    b.update(Some(register), Update::Or, place, value, Order::AcquireRelease)
                }
            };
            b.add(thread, statement);
        }
    }
}

/// What was read says where to go on.
pub fn indices(b: &mut Builder) {
    let roles = b.roles(2);
    let index = Place::Atomic(0);
    let moved = 1 + b.random.below(3) as u8;
    let set = b.store(index.clone(), moved, Order::Release);
    let (fixed, value) = (b.register(roles[0]), 1 + b.random.below(3) as u8);
    let put = b.store(Place::Element(fixed), 2, Order::Release);
    b.extend(roles[0], [Statement::Set { register: fixed, value: Value::Number(value) }, put, set]);
    let (look, register) = b.load(roles[1], index, Order::Acquire);
    let first = match b.once_in(2) {
        true => b.store(Place::Element(register), 1, Order::Release),
        false => b.load(roles[1], Place::Element(register), Order::Acquire).0,
    };
    b.extend(roles[1], [look, first]);
}

/// A compare-exchange after which something happens, whether it succeeds or fails.
pub fn weak_exchange(b: &mut Builder) {
    let roles = b.roles(2);
    let place = b.atomic();
    for thread in roles {
        let (ok, value) = (b.register(thread), b.random.below(2) as u8);
        let seen = b.once_in(2).then(|| b.register(thread));
        let exchange = b.exchange(Some(ok), seen, place.clone(), (value, value + 1), Order::AcquireRelease);
        let other = Place::Atomic(1);
        let then = vec![b.store(other.clone(), 1, Order::Release)];
        let otherwise = match b.once_in(2) {
            true => vec![b.load(thread, other, Order::Acquire).0],
            false => Vec::new(),
        };
        let condition = Condition { terms: vec![(ok, Is::Equal, 1)], negated: false };
        b.extend(thread, [exchange, Statement::If { condition, then, otherwise }]);
    }
}

/// Two write, two others look at both in different orders.
pub fn independent_readers(b: &mut Builder) {
    let roles = b.roles(4);
    let places = [Place::Atomic(0), Place::Atomic(1)];
    for (index, place) in places.iter().enumerate() {
        let write = b.store(place.clone(), 1, Order::Release);
        b.add(roles[index], write);
        let reader = roles[2 + index];
        let (first, _) = b.load(reader, place.clone(), Order::Acquire);
        let (second, _) = b.load(reader, places[1 - index].clone(), Order::Acquire);
        b.extend(reader, [first, second]);
    }
}

/// Relaxed accesses with fences between them.
pub fn fences(b: &mut Builder) {
    let roles = b.roles(2);
    let (data, flag) = (if b.once_in(2) { Place::Plain(0) } else { Place::Atomic(0) }, Place::Atomic(1));
    let fence = |b: &mut Builder, needed| (!b.once_in(6)).then(|| Statement::Fence(b.order(needed)));
    let written = b.store(data.clone(), 1, Order::Relaxed);
    let before = fence(b, Order::Release).filter(|fence| *fence != Statement::Fence(Order::Relaxed));
    let set = Statement::Store { place: flag.clone(), value: Value::Number(1), order: Order::Relaxed };
    b.extend(roles[0], [Some(written), before, Some(set)].into_iter().flatten());
    let register = b.register(roles[1]);
    let look = Statement::Load { register, place: flag, order: Order::Relaxed };
    let after = fence(b, Order::Acquire).filter(|fence| *fence != Statement::Fence(Order::Relaxed));
    let (read, value) = b.load(roles[1], data, Order::Relaxed);
    let then = vec![read, assert_that(value, Is::Equal, 1)];
    b.extend(roles[1], [Some(look), after, Some(when(register, Is::Equal, 1, then))].into_iter().flatten());
}
