//! Memory orders as the source has them, and the program with one of them weaker.
//!
//! For judging tests: would a wrong order have been noticed?

use crate::Program;
use crate::code::{Atomic, AtomicKind, FunctionId, Op, Order};
use std::collections::BTreeMap;

/// A memory order in the source, and the operations that have come of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceOrder {
    /// Where it is: the position from which the functions were called that the standard library offers for it.
    pub position: u32,
    /// The order of a compare-exchange that fails.
    pub failure: bool,
    /// What it is now.
    pub order: Order,
    /// What is next weaker: one or two orders.
    pub weaker: Vec<Order>,
    /// The operations: function, and number in [`crate::code::Function::atomics`].
    operations: Vec<(FunctionId, u32)>,
}

/// The next weaker orders of an operation.
fn weaker(atomic: &Atomic, failure: bool, order: Order) -> Vec<Order> {
    let loads = failure || matches!(atomic.kind, AtomicKind::Load { .. });
    let stores = matches!(atomic.kind, AtomicKind::Store { .. });
    match order {
        Order::SeqCst if loads => vec![Order::Acquire],
        Order::SeqCst if stores => vec![Order::Release],
        Order::SeqCst => vec![Order::AcqRel],
        Order::AcqRel => vec![Order::Acquire, Order::Release],
        Order::Acquire | Order::Release => vec![Order::Relaxed],
        Order::NotAtomic | Order::Unordered | Order::Relaxed => Vec::new(),
    }
}

impl Program {
    /// From where the code of a file that a position is in was called, if it was inlined: what the user of a library's
    /// header or generic function wrote.
    pub fn outside_of_file(&self, position: u32) -> u32 {
        let (mut at, file) = (position, self.positions[position as usize].file);
        while self.positions[at as usize].file == file {
            match self.positions[at as usize].inlined_at {
                0 => return position,
                outer => at = outer,
            }
        }
        at
    }

    /// All memory orders that could be weaker, by place.
    pub fn source_orders(&self) -> Vec<SourceOrder> {
        let mut found: BTreeMap<(String, bool, u8), SourceOrder> = BTreeMap::new();
        for (id, function) in self.functions.iter().enumerate() {
            for (op, &position) in function.code.iter().zip(&function.positions) {
                let &Op::Atomic { index } = op else { continue };
                let atomic = &function.atomics[index as usize];
                let position = self.outside_of_file(position);
                let fails = match atomic.kind {
                    AtomicKind::CompareExchange { failure, .. } => Some((true, failure)),
                    _ => None,
                };
                for (failure, order) in [(false, atomic.order)].into_iter().chain(fails) {
                    let weaker = weaker(atomic, failure, order);
                    if weaker.is_empty() || self.positions[position as usize].line == 0 {
                        continue;
                    }
                    let key = (self.describe(position), failure, order as u8);
                    let new = SourceOrder { position, failure, order, weaker, operations: Vec::new() };
                    found.entry(key).or_insert(new).operations.push((id as FunctionId, index));
                }
            }
        }
        found.into_values().collect()
    }

    /// The program with another order at one place.
    pub fn with_order(&self, at: &SourceOrder, order: Order) -> Program {
        let mut program = self.clone();
        for &(function, index) in &at.operations {
            let atomic = &mut program.functions[function as usize].atomics[index as usize];
            match &mut atomic.kind {
                AtomicKind::CompareExchange { failure, .. } if at.failure => *failure = order,
                _ => atomic.order = order,
            }
        }
        program.fingerprint ^= u64::from(at.position) << 8 | order as u64 | 1 << 63;
        program
    }
}
