//! Loops that wait: they look at memory again and again, change nothing, and keep at most a count of how often they
//! have looked.

use crate::code::{AtomicKind, Callee, Function, IntrinsicKind, Op, Slot, Target};
use crate::{Liveness, Program, Use};
use rustc_hash::FxHashSet;

/// How deep calls in a loop are followed.
const DEPTH: u32 = 4;

/// Slots of the innermost loop around an operation whose values are read nowhere outside of it, if nothing in the loop
/// does more than read. What such slots hold matters only for how long the loop goes on. A slot may be used for something
/// else elsewhere in the function.
pub fn spin_counters(
    program: &Program,
    function: &Function,
    liveness: &Liveness,
    at: Target,
) -> Option<FxHashSet<Slot>> {
    let body = innermost_loop(function, at)?;
    if !body.iter().all(|&index| only_reads(program, function, &function.code[index as usize], DEPTH)) {
        return None;
    }
    let (mut own, mut exits) = (FxHashSet::default(), FxHashSet::default());
    for &index in &body {
        let op = &function.code[index as usize];
        op.operands(function, &mut |kind, slot, count| {
            if kind == Use::Read {
                own.extend(slot..slot + count);
            }
        });
        op.successors(function, index, &mut |next| {
            if !body.contains(&next) {
                exits.insert(next);
            }
        });
    }
    for exit in exits {
        let live = liveness.live_before(function, exit);
        own.retain(|slot| !live.contains(*slot));
    }
    Some(own)
}

/// The operations of the smallest natural loop that contains one.
fn innermost_loop(function: &Function, at: Target) -> Option<FxHashSet<Target>> {
    let count = function.code.len();
    let successors = |index: Target| {
        let mut list = Vec::new();
        function.code[index as usize].successors(function, index, &mut |next| list.push(next));
        list
    };
    let mut before: Vec<Vec<Target>> = vec![Vec::new(); count];
    let mut returning: Vec<(Target, Target)> = Vec::new();
    // 0: new, 1: being visited, 2: done.
    let mut state = vec![0_u8; count];
    let mut stack: Vec<(Target, Vec<Target>)> = vec![(0, successors(0))];
    *state.first_mut()? = 1;
    while let Some((index, rest)) = stack.last_mut() {
        let index = *index;
        let Some(next) = rest.pop() else {
            state[index as usize] = 2;
            stack.pop();
            continue;
        };
        before[next as usize].push(index);
        match state[next as usize] {
            0 => {
                state[next as usize] = 1;
                stack.push((next, successors(next)));
            }
            1 => returning.push((index, next)),
            _ => {}
        }
    }
    let body = |&(last, header): &(Target, Target)| {
        let mut body = FxHashSet::from_iter([header]);
        let mut work = vec![last];
        while let Some(index) = work.pop() {
            if body.insert(index) {
                work.extend(&before[index as usize]);
            }
        }
        body
    };
    returning.iter().map(body).filter(|body| body.contains(&at)).min_by_key(FxHashSet::len)
}

/// Whether an operation changes nothing but slots.
fn only_reads(program: &Program, function: &Function, op: &Op, depth: u32) -> bool {
    match *op {
        Op::Store { .. }
        | Op::StorePtr { .. }
        | Op::StoreMany { .. }
        | Op::MemCopy { .. }
        | Op::MemSet { .. }
        | Op::Alloca { .. }
        | Op::StackSave { .. }
        | Op::StackRestore { .. }
        | Op::LandingPad { .. }
        | Op::Resume { .. }
        | Op::IndirectBranch { .. }
        | Op::Unreachable
        | Op::Unsupported { .. } => false,
        Op::Atomic { index } => {
            matches!(function.atomics[index as usize].kind, AtomicKind::Load { .. } | AtomicKind::Fence)
        }
        Op::Intrinsic { index } => matches!(function.intrinsics[index as usize].kind, IntrinsicKind::Pause),
        Op::Call { index } => match function.calls[index as usize].callee {
            Callee::Function(callee) if depth > 0 => {
                let callee = &program.functions[callee as usize];
                callee.code.iter().all(|op| only_reads(program, callee, op, depth - 1))
            }
            Callee::External(external) => {
                matches!(&*program.externals[external as usize].name, "sched_yield" | "pthread_yield")
            }
            Callee::Function(_) | Callee::Pointer(_) => false,
        },
        _ => true,
    }
}
