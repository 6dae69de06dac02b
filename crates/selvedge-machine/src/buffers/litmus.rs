//! Litmus tests: small programs, all their executions, what their threads read.

use crate::halt::ViolationKind;
use crate::machine::{Config, Machine, Outcome, Pick, Stepped};
use selvedge_program::code::{Argument, Atomic, AtomicKind, Call, Callee, Function, Leaf, Op, Order, RmwOp};
use selvedge_program::{CODE_BASE, EXTERNAL_BASE, External, GLOBAL_BASE, Global, Program};
use selvedge_trace::{EventKind, Model};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What a thread does: variables are numbered, all of them are 0 at first.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Do {
    Write(u32, u64),
    Read(u32),
    /// An atomic store.
    Store(u32, u64, Order),
    Fence(Order),
    /// Allocates an object of so many bytes, which is the thread's own from then on.
    Allocate(u64),
    /// Writes to the thread's own object, at an offset.
    Fill(i32, u64),
    /// Stores the address of the thread's own object to a variable.
    Publish(u32, Order),
    /// Exchanges a variable for the address of the thread's own object.
    Exchange(u32),
    /// Reads a variable, and if there is an address in it, what lies there, at an offset.
    Follow(u32, i32),
    /// Frees the object whose address a variable holds.
    Release(u32),
    /// Decides something by what was read last.
    Decide,
    /// Puts the thread's own object aside.
    Keep,
    /// Stores the address of the object that was put aside to the thread's own one, at 8.
    Link,
    /// Follows an address that was found by following, if there is one.
    FollowOn(i32),
}

pub(crate) const VARIABLES: u32 = 4;

const POINTER: u32 = 0;
const VALUE: u32 = 2;
const NULL: u32 = 4;
const OWN: u32 = 8;
const OTHER: u32 = 10;
const KEPT: u32 = 12;

fn call(external: u32, slot: u32, leaf: Leaf, result: Option<Leaf>) -> Call {
    Call {
        callee: Callee::External(external),
        args: Box::new([Argument::scalar(slot, leaf)]),
        slots: (slot..slot + leaf.slots()).collect(),
        fixed: 1,
        dst: OWN,
        result: result.into_iter().collect(),
        unwind: None,
        tail: false,
        exact: false,
    }
}

/// Calls that every function has.
const EXIT: u32 = 0;
const MALLOC: u32 = 1;
const FREE: u32 = 2;

fn function(index: usize, steps: &[Do]) -> Function {
    let mut code = Vec::new();
    let mut atomics = Vec::new();
    let mut atomic = |kind, order, bytes: u8| {
        let width = 8 * u32::from(bytes);
        let pointer = bytes == 8;
        let (float, single_thread) = (None, false);
        atomics.push(Atomic { kind, ptr: POINTER, bytes, width, pointer, float, order, single_thread });
        Op::Atomic { index: atomics.len() as u32 - 1 }
    };
    let address = |global| Op::GlobalAddress { dst: POINTER, global, offset: 0 };
    for step in steps {
        match *step {
            Do::Write(variable, value) => {
                let store = Op::Store { bytes: 4, src: VALUE, ptr: POINTER, offset: 0 };
                code.extend([address(variable), Op::Const { dst: VALUE, value }, store]);
            }
            Do::Read(variable) => {
                code.extend([address(variable), Op::Load { bytes: 4, dst: VALUE, ptr: POINTER, offset: 0 }]);
            }
            Do::Store(variable, value, order) => {
                let store = atomic(AtomicKind::Store { src: VALUE }, order, 4);
                code.extend([address(variable), Op::Const { dst: VALUE, value }, store]);
            }
            Do::Fence(order) => code.push(atomic(AtomicKind::Fence, order, 0)),
            Do::Allocate(value) => {
                code.extend([Op::Const { dst: VALUE, value }, Op::Call { index: MALLOC }]);
            }
            Do::Fill(offset, value) => {
                let store = Op::Store { bytes: 4, src: VALUE, ptr: OWN, offset };
                code.extend([Op::Const { dst: VALUE, value }, store]);
            }
            Do::Publish(variable, Order::NotAtomic) => {
                code.extend([address(variable), Op::StorePtr { src: OWN, ptr: POINTER, offset: 0 }]);
            }
            Do::Publish(variable, order) => {
                code.extend([address(variable), atomic(AtomicKind::Store { src: OWN }, order, 8)]);
            }
            Do::Exchange(variable) => {
                let op = AtomicKind::ReadModifyWrite { op: RmwOp::Exchange, dst: OTHER, src: OWN };
                code.extend([address(variable), atomic(op, Order::Relaxed, 8)]);
            }
            Do::Follow(variable, offset) => {
                let load = Op::LoadPtr { dst: OTHER, ptr: POINTER, offset: 0 };
                let target = code.len() as u32 + 4;
                let skip = Op::BranchUnless { cond: OTHER, target };
                let follow = Op::Load { bytes: 4, dst: VALUE, ptr: OTHER, offset };
                code.extend([address(variable), load, skip, follow]);
            }
            Do::Decide => {
                let target = code.len() as u32 + 1;
                code.push(Op::BranchUnless { cond: VALUE, target });
            }
            Do::Keep => code.push(Op::MoveMany { dst: KEPT, src: OWN, count: 2 }),
            Do::Link => code.push(Op::StorePtr { src: KEPT, ptr: OWN, offset: 8 }),
            Do::FollowOn(offset) => {
                // Nothing was found if the variable was empty.
                let target = code.len() as u32 + 4;
                let load = Op::LoadPtr { dst: KEPT, ptr: OTHER, offset: 8 };
                code.extend([Op::BranchUnless { cond: OTHER, target }, load]);
                code.extend([
                    Op::BranchUnless { cond: KEPT, target },
                    Op::Load { bytes: 4, dst: VALUE, ptr: KEPT, offset },
                ]);
            }
            Do::Release(variable) => {
                let load = Op::LoadPtr { dst: OTHER, ptr: POINTER, offset: 0 };
                code.extend([address(variable), load, Op::Call { index: FREE }]);
            }
        }
    }
    code.extend([Op::Const { dst: NULL, value: 0 }, Op::Const { dst: NULL + 1, value: 0 }]);
    code.extend([Op::Call { index: EXIT }, Op::Unreachable]);
    Function {
        name: format!("function{index}").into(),
        address: CODE_BASE + 16 * index as u64,
        frame_slots: 16,
        positions: vec![0; code.len()].into(),
        code: code.into(),
        atomics: atomics.into(),
        calls: Box::new([
            call(EXIT, NULL, Leaf::Ptr, None),
            call(MALLOC, VALUE, Leaf::Int(64), Some(Leaf::Ptr)),
            call(FREE, OTHER, Leaf::Ptr, None),
        ]),
        ..Function::default()
    }
}

pub(crate) fn program(threads: &[&[Do]]) -> Program {
    let mut program = Program::default();
    program.positions.push(Default::default());
    program.files.push(Default::default());
    for (number, name) in ["__selvedge_thread_exit", "malloc", "free"].into_iter().enumerate() {
        let address = EXTERNAL_BASE + 16 * number as u64;
        program.externals.push(External { name: name.into(), address, weak: false });
    }
    for number in 0..VARIABLES {
        program.globals.push(Global {
            name: format!("variable{number}").into(),
            display: format!("variable{number}").into(),
            address: GLOBAL_BASE + 64 * u64::from(number),
            size: 8,
            align: 8,
            bytes: Box::new([]),
            pointers: Box::new([]),
            undefined: Box::new([]),
            constant: false,
            thread_local: false,
            external: false,
            position: 0,
            shape: 0,
        });
    }
    program.functions.push(function(0, &[]));
    program.functions_by_name.insert("__selvedge_start".into(), 0);
    for (index, steps) in threads.iter().enumerate() {
        program.functions.push(function(index + 1, steps));
    }
    program
}

/// Everything that the threads can read: the values in order of the threads and of their reads.
fn views(model: Model, threads: &[&[Do]]) -> BTreeSet<Vec<u8>> {
    let config = Config { model, trace: true, views: true, ..Config::default() };
    let mut machine = Machine::new(Arc::new(program(threads)), config);
    for function in 1..=threads.len() {
        machine.spawn(Some(0), function as u32, &[]).unwrap();
    }
    let mut found = BTreeMap::new();
    explore(&mut machine, &mut found);
    let hashes: BTreeSet<u128> = found.values().copied().collect();
    if found.keys().all(|reads| !reads.contains(&UNINITIALISED)) {
        assert_eq!(hashes.len(), found.len(), "different reads, different views");
    }
    found.into_keys().collect()
}

/// A value that was read, in one byte; of an address whether it is one.
fn shown(value: &[u8]) -> u8 {
    if value.len() == 8 { u8::from(value != [0; 8]) } else { value[0] }
}

fn explore(machine: &mut Machine, found: &mut BTreeMap<Vec<u8>, u128>) {
    let mut picks = Vec::new();
    machine.picks(&mut picks);
    if picks.is_empty() {
        // What is not initialised is shown as such: it can only be the last that was read.
        let uninitialised = match machine.outcome() {
            Some(Outcome::Exited(0)) => false,
            Some(Outcome::Violation { violation, .. }) => violation.kind == ViolationKind::Uninitialised,
            outcome => panic!("{outcome:?}"),
        };
        let reads = machine.inspect().trace().iter().filter(|event| event.operation.kind == EventKind::Read);
        let mut reads: Vec<_> = reads.map(|event| (event.thread, event.index, shown(&event.read))).collect();
        reads.sort_unstable();
        let view = machine.inspect().view();
        let mut reads: Vec<u8> = reads.into_iter().map(|(.., value)| value).collect();
        if uninitialised {
            reads.push(UNINITIALISED);
        }
        let known = found.insert(reads, view);
        assert!(uninitialised || known.is_none_or(|known| known == view), "the same reads, the same view");
        return;
    }
    let snapshot = machine.snapshot();
    for pick in picks {
        if !matches!(machine.step(pick), Stepped::OutOfFuel) {
            explore(machine, found);
        }
        machine.restore(&snapshot);
    }
}

fn check(threads: &[&[Do]], view: &[u8], allowed: [bool; 3]) {
    let models = [Model::Sc, Model::Tso, Model::Pso];
    for (model, allowed) in models.into_iter().zip(allowed) {
        let found = views(model, threads);
        assert_eq!(found.contains(view), allowed, "{model:?} {view:?} in {found:?}");
    }
}

const UNINITIALISED: u8 = 0xee;
const X: u32 = 0;
const Y: u32 = 1;

#[test]
fn store_buffering() {
    use Do::*;
    check(&[&[Write(X, 1), Read(Y)], &[Write(Y, 1), Read(X)]], &[0, 0], [false, true, true]);
    let fence = Fence(Order::SeqCst);
    check(&[&[Write(X, 1), fence, Read(Y)], &[Write(Y, 1), fence, Read(X)]], &[0, 0], [false; 3]);
    let strong = |variable| Store(variable, 1, Order::SeqCst);
    check(&[&[strong(X), Read(Y)], &[strong(Y), Read(X)]], &[0, 0], [false; 3]);
    let release = |variable| Store(variable, 1, Order::Release);
    check(&[&[release(X), Read(Y)], &[release(Y), Read(X)]], &[0, 0], [false, true, true]);
}

#[test]
fn message_passing() {
    use Do::*;
    let receiver = [Read(Y), Read(X)];
    check(&[&[Write(X, 1), Write(Y, 1)], &receiver], &[1, 0], [false, false, true]);
    check(&[&[Write(X, 1), Store(Y, 1, Order::Release)], &receiver], &[1, 0], [false; 3]);
    check(&[&[Write(X, 1), Fence(Order::Release), Write(Y, 1)], &receiver], &[1, 0], [false; 3]);
    check(&[&[Write(X, 1), Fence(Order::Acquire), Write(Y, 1)], &receiver], &[1, 0], [false, false, true]);
    check(&[&[Write(X, 1), Store(Y, 1, Order::Relaxed)], &receiver], &[1, 0], [false, false, true]);
}

#[test]
fn load_buffering_and_coherence_never_break() {
    use Do::*;
    check(&[&[Read(X), Write(Y, 1)], &[Read(Y), Write(X, 1)]], &[1, 1], [false; 3]);
    check(&[&[Write(X, 1), Write(X, 2)], &[Read(X), Read(X)]], &[2, 1], [false; 3]);
    check(&[&[Write(X, 1), Read(X)], &[Read(X)]], &[0, 0], [false; 3]);
}

#[test]
fn a_thread_reads_its_own_store_before_others_do() {
    use Do::*;
    // Both threads see their own store, and not yet the other's.
    let threads: [&[Do]; 2] = [&[Write(X, 1), Read(X), Read(Y)], &[Write(Y, 1), Read(Y), Read(X)]];
    check(&threads, &[1, 0, 1, 0], [false, true, true]);
}

/// What a thread can see that follows a pointer to an object of two words, which was filled before it was published.
fn followers(model: Model, writer: &[Do]) -> BTreeSet<Vec<u8>> {
    views(model, &[writer, &[Do::Follow(X, 0), Do::Decide]])
}

const SEEN: [u8; 2] = [1, 5];
const STALE: [u8; 3] = [1, 0, UNINITIALISED];

#[test]
fn an_object_may_be_published_before_it_is_filled() {
    use Do::*;
    for order in [Order::NotAtomic, Order::Relaxed, Order::Release, Order::SeqCst] {
        for model in [Model::Sc, Model::Tso, Model::Pso] {
            let found = followers(model, &[Allocate(16), Fill(0, 5), Publish(X, order)]);
            let weak = matches!(order, Order::NotAtomic | Order::Relaxed);
            assert!(found.contains(&SEEN[..]) && found.contains(&[0][..]), "{model:?} {order:?} {found:?}");
            assert_eq!(
                found.contains(&STALE[..]),
                model == Model::Pso && weak,
                "{model:?} {order:?} {found:?}"
            );
        }
    }
}

#[test]
fn barriers_and_exchanges_order_filling_before_publishing() {
    use Do::*;
    let stale = |writer: &[Do]| followers(Model::Pso, writer).contains(&STALE[..]);
    let relaxed = Publish(X, Order::Relaxed);
    for fence in [Order::Release, Order::AcqRel, Order::SeqCst] {
        assert!(!stale(&[Allocate(16), Fill(0, 5), Fence(fence), relaxed]), "{fence:?}");
        assert!(stale(&[Allocate(16), Fence(fence), Fill(0, 5), relaxed]), "{fence:?}");
    }
    assert!(stale(&[Allocate(16), Fill(0, 5), Fence(Order::Acquire), relaxed]));
    assert!(!stale(&[Allocate(16), Fill(0, 5), Exchange(X)]));
    assert!(!stale(&[Allocate(16), Fill(0, 5), Store(Y, 1, Order::SeqCst), relaxed]));
    assert!(!stale(&[Allocate(16), Fill(0, 5), Store(Y, 1, Order::Release), relaxed]));
    assert!(stale(&[Allocate(16), Fill(0, 5), Write(Y, 1), relaxed]));
}

#[test]
fn every_value_that_an_object_had_since_the_barrier_can_be_seen() {
    use Do::*;
    let first = [Allocate(16), Fill(0, 1), Fence(Order::Release), Fill(0, 2), Fill(0, 3)];
    let writer = [&first[..], &[Publish(X, Order::Relaxed)]].concat();
    let found = views(Model::Pso, &[&writer, &[Follow(X, 0)]]);
    let expected: BTreeSet<Vec<u8>> = [vec![0], vec![1, 1], vec![1, 2], vec![1, 3]].into();
    assert_eq!(found, expected);
    let found = views(Model::Tso, &[&writer, &[Follow(X, 0)]]);
    assert_eq!(found, [vec![0], vec![1, 3]].into());
    // The thread itself always sees the last, and stores after publishing come after those before.
    let writer = [&writer[..], &[Fill(0, 4), Follow(X, 0)]].concat();
    let found = views(Model::Pso, &[&writer]);
    assert_eq!(found, [vec![1, 4]].into());
}

#[test]
fn what_is_published_along_is_stale_too() {
    use Do::*;
    // An object that points to another one: both are filled, then the first is published.
    let writer = [Allocate(16), Fill(0, 7), Keep, Allocate(16), Fill(0, 1), Link, Publish(X, Order::Relaxed)];
    let reader = [Follow(X, 0), FollowOn(0)];
    let (right, stale) = (vec![1, 1, 1, 7], vec![1, 1, 1, 0]);
    for model in [Model::Sc, Model::Tso, Model::Pso] {
        let found = views(model, &[&writer, &reader]);
        assert!(found.contains(&right) && found.contains(&vec![0]), "{model:?} {found:?}");
        assert_eq!(found.contains(&stale), model == Model::Pso, "{model:?} {found:?}");
        let unknown_link = found.contains(&vec![1, 1, 0, UNINITIALISED]);
        assert_eq!(unknown_link, model == Model::Pso, "{model:?} {found:?}");
    }
}

#[test]
fn going_back_to_a_snapshot_brings_back_the_buffers() {
    use Do::*;
    let config = Config { model: Model::Tso, trace: true, ..Config::default() };
    let threads: [&[Do]; 2] = [&[Write(X, 1), Read(Y)], &[Write(Y, 1), Read(X)]];
    let mut machine = Machine::new(Arc::new(program(&threads)), config);
    machine.spawn(Some(0), 1, &[]).unwrap();
    machine.spawn(Some(0), 2, &[]).unwrap();
    let mut picks = Vec::new();
    let step = |machine: &mut Machine, thread: u16| {
        machine.step(Pick::Step { thread: selvedge_trace::ThreadId(thread), alternative: 0 });
    };
    step(&mut machine, 0);
    step(&mut machine, 1);
    let hash = machine.state_hash();
    let snapshot = machine.snapshot();
    machine.picks(&mut picks);
    let commit =
        *picks.iter().find(|pick| matches!(pick, Pick::Commit { .. })).expect("the store is buffered");
    machine.step(commit);
    assert_ne!(machine.state_hash(), hash);
    machine.restore(&snapshot);
    assert_eq!(machine.state_hash(), hash);
    machine.picks(&mut picks);
    assert!(picks.contains(&commit));
}
