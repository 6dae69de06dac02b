//! Litmus tests: small programs, all their executions, what their threads read.

use crate::machine::{Config, Machine, Outcome, Pick, Stepped};
use selvedge_program::code::{Argument, Atomic, AtomicKind, Call, Callee, Function, Leaf, Op, Order};
use selvedge_program::{CODE_BASE, EXTERNAL_BASE, External, GLOBAL_BASE, Global, Program};
use selvedge_trace::{EventKind, Model};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What a thread does: variables are numbered, all of them are 0 at first.
#[derive(Clone, Copy)]
enum Do {
    Write(u32, u64),
    Read(u32),
    /// An atomic store.
    Store(u32, u64, Order),
    Fence(Order),
}

const VARIABLES: u32 = 4;

fn function(index: usize, steps: &[Do]) -> Function {
    const POINTER: u32 = 0;
    const VALUE: u32 = 2;
    const NULL: u32 = 4;
    let mut code = Vec::new();
    let mut atomics = Vec::new();
    let mut atomic = |kind, order| {
        let bytes = if kind == AtomicKind::Fence { 0 } else { 4 };
        let width = 8 * u32::from(bytes);
        atomics.push(Atomic {
            kind,
            ptr: POINTER,
            bytes,
            width,
            pointer: false,
            float: None,
            order,
            single_thread: false,
        });
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
                let store = atomic(AtomicKind::Store { src: VALUE }, order);
                code.extend([address(variable), Op::Const { dst: VALUE, value }, store]);
            }
            Do::Fence(order) => code.push(atomic(AtomicKind::Fence, order)),
        }
    }
    code.extend([Op::Const { dst: NULL, value: 0 }, Op::Const { dst: NULL + 1, value: 0 }]);
    code.extend([Op::Call { index: 0 }, Op::Unreachable]);
    let exit = Call {
        callee: Callee::External(0),
        args: Box::new([Argument { slot: NULL, leaf: Leaf::Ptr, byval: None }]),
        slots: Box::new([NULL, NULL + 1]),
        fixed: 1,
        dst: 6,
        result: Box::new([]),
        unwind: None,
        tail: false,
    };
    Function {
        name: format!("function{index}").into(),
        address: CODE_BASE + 16 * index as u64,
        frame_slots: 16,
        positions: vec![0; code.len()].into(),
        code: code.into(),
        atomics: atomics.into(),
        calls: Box::new([exit]),
        ..Function::default()
    }
}

fn program(threads: &[&[Do]]) -> Program {
    let mut program = Program::default();
    program.positions.push(Default::default());
    program.files.push(Default::default());
    program.externals.push(External {
        name: "__selvedge_thread_exit".into(),
        address: EXTERNAL_BASE,
        weak: false,
    });
    for number in 0..VARIABLES {
        program.globals.push(Global {
            name: format!("variable{number}").into(),
            display: format!("variable{number}").into(),
            address: GLOBAL_BASE + 64 * u64::from(number),
            size: 4,
            align: 4,
            bytes: Box::new([]),
            pointers: Box::new([]),
            undefined: Box::new([]),
            constant: false,
            thread_local: false,
            external: false,
            position: 0,
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
    assert_eq!(hashes.len(), found.len(), "different reads, different views");
    found.into_keys().collect()
}

fn explore(machine: &mut Machine, found: &mut BTreeMap<Vec<u8>, u128>) {
    let mut picks = Vec::new();
    machine.picks(&mut picks);
    if picks.is_empty() {
        assert!(matches!(machine.outcome(), Some(Outcome::Exited(0))), "{:?}", machine.outcome());
        let reads = machine.trace().iter().filter(|event| event.operation.kind == EventKind::Read);
        let mut reads: Vec<_> = reads.map(|event| (event.thread, event.index, event.read[0])).collect();
        reads.sort_unstable();
        let view = machine.view();
        let known = found.insert(reads.into_iter().map(|(.., value)| value).collect(), view);
        assert!(known.is_none_or(|known| known == view), "the same reads, the same view");
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
