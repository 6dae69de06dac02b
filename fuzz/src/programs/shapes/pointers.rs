//! Shapes of objects that others learn of.

use crate::programs::ast::*;
use crate::programs::build::{Builder, assert_that, when};

/// An object is made and published, however the pointer travels; two or more then use it.
pub fn published(b: &mut Builder) {
    let roles = b.roles(3);
    let owner = roles[0];
    b.add(owner, Statement::Allocate { pointer: 0, value: 1 });
    let order = b.order(Order::Release).of_store();
    b.add(owner, Statement::Publish { pointer: 0, carrier: 0, order });
    let atomic = !b.once_in(4);
    for &thread in &roles[..2 + b.random.below(2)] {
        if thread != owner {
            let order = b.order(Order::Acquire).of_load();
            b.add(thread, Statement::Fetch { pointer: 0, carrier: 0, order });
        }
        let place = if atomic { Place::Field(0) } else { Place::PlainField(0) };
        let (load, register) = b.load(thread, place.clone(), Order::Relaxed);
        match b.random.below(3) {
            0 => b.add(thread, load),
            1 => {
                let order = b.order(Order::Relaxed).of_store();
                let value = Value::Register(register, 1);
                b.extend(thread, [load, Statement::Store { place, value, order }]);
            }
            _ if atomic => {
                let add = b.update(Some(register), Update::Add, place, 1, Order::AcquireRelease);
                b.add(thread, add);
            }
            _ => b.add(thread, load),
        }
        if b.once_in(4) {
            let value = 1 + b.random.below(2) as u8;
            let has = b.register(thread);
            let check = when(has, Is::Equal, 1, vec![assert_that(register, Is::Equal, value)]);
            b.extend(thread, [Statement::Has { register: has, pointer: 0 }, check]);
        }
    }
}

/// An object is published, retracted and freed; whether another thread still uses it is the question.
pub fn retracted(b: &mut Builder) {
    let roles = b.roles(2);
    b.program.carriers[0] = Via::Word;
    b.add(roles[0], Statement::Allocate { pointer: 0, value: 1 });
    let order = b.order(Order::Release);
    b.add(roles[0], Statement::Publish { pointer: 0, carrier: 0, order: order.of_store() });
    b.add(roles[0], Statement::Retract { pointer: 0, carrier: 0, order });
    if b.once_in(2) {
        b.add(roles[0], Statement::Free(0));
    }
    let order = b.order(Order::Acquire).of_load();
    b.add(roles[1], Statement::Fetch { pointer: 0, carrier: 0, order });
    let (load, _) = b.load(roles[1], Place::Field(0), Order::Relaxed);
    b.add(roles[1], load);
}

/// Hazard pointers: a thread that uses an object says so before, and looks whether it is still there; it is freed only
/// if no thread has said so.
pub fn hazard(b: &mut Builder) {
    let roles = b.roles(2);
    b.program.carriers[0] = Via::Word;
    let hazard = Place::Atomic(1);
    b.add(roles[0], Statement::Allocate { pointer: 0, value: 1 });
    let order = b.order(Order::Sequential);
    b.add(roles[0], Statement::Publish { pointer: 0, carrier: 0, order: order.of_store() });
    b.add(roles[0], Statement::Retract { pointer: 0, carrier: 0, order });
    let (look, used) = b.load(roles[0], hazard.clone(), Order::Sequential);
    b.extend(roles[0], [look, when(used, Is::Equal, 0, vec![Statement::Free(0)])]);
    let reader = roles[1];
    let say = b.store(hazard.clone(), 1, Order::Sequential);
    b.add(reader, say);
    let order = b.order(Order::Sequential).of_load();
    b.add(reader, Statement::Fetch { pointer: 0, carrier: 0, order });
    let (load, _) = b.load(reader, Place::PlainField(0), Order::Relaxed);
    let done = b.store(hazard, 0, Order::Release);
    b.extend(reader, [load, done]);
}

/// A local variable is published; its thread may end before another one uses it.
pub fn local(b: &mut Builder) {
    let roles = b.roles(2);
    b.add(roles[0], Statement::Address { pointer: 0, value: 1 });
    let order = b.order(Order::Release).of_store();
    b.add(roles[0], Statement::Publish { pointer: 0, carrier: 0, order });
    let order = b.order(Order::Acquire).of_load();
    b.add(roles[1], Statement::Fetch { pointer: 0, carrier: 0, order });
    let used = match b.once_in(2) {
        true => b.store(Place::Field(0), 3, Order::Relaxed),
        false => b.load(roles[1], Place::Field(0), Order::Relaxed).0,
    };
    b.add(roles[1], used);
    if b.once_in(2) {
        let order = b.order(Order::AcquireRelease);
        b.add(roles[0], Statement::Retract { pointer: 0, carrier: 0, order });
    }
}

/// A thread gets an object of its creator, which goes on to use it.
pub fn passed(b: &mut Builder) {
    let child = 1 + b.random.below(b.program.threads.len() - 1);
    let object = match b.once_in(2) {
        true => Statement::Allocate { pointer: 1, value: 1 },
        false => Statement::Address { pointer: 1, value: 1 },
    };
    b.program.threads[0].body.insert(0, Statement::Create { thread: child as u8, pointer: Some(1) });
    b.program.threads[0].body.insert(0, object);
    let (own, theirs) = (Place::Field(1), Place::Field(0));
    let first = match b.once_in(2) {
        true => b.update(None, Update::Add, own, 1, Order::Relaxed),
        false => b.load(0, own, Order::Relaxed).0,
    };
    b.add(0, first);
    let second = match b.once_in(2) {
        true => b.update(None, Update::Add, theirs, 1, Order::Relaxed),
        false => b.store(theirs, 3, Order::Relaxed),
    };
    b.program.threads[child].body.insert(0, second);
}

/// What threads have for themselves.
pub fn own_values(b: &mut Builder) {
    for thread in b.roles(2) {
        let (read, register) = b.load(thread, Place::Own, Order::Relaxed);
        let value = Value::Register(register, 1);
        let keep = Statement::Store { place: Place::Own, value, order: Order::Relaxed };
        b.extend(thread, [read, keep]);
        if b.program.language == Language::C && b.once_in(2) {
            let register = b.register(thread);
            b.extend(thread, [Statement::SetKey(Value::Number(1)), Statement::GetKey(register)]);
        }
    }
}
