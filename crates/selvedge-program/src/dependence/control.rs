//! Which operations of a function happen or not because of how another one ends.

use crate::code::{Function, Target};

/// No operation.
const NONE: u32 = u32::MAX;

/// Post-dominators of a function's operations. The last node is the end: what comes after the function, or nothing.
#[derive(Debug)]
pub struct Control {
    successors: Vec<Vec<u32>>,
    /// The nearest operation that comes after each in any case.
    next_always: Vec<u32>,
}

impl Control {
    /// Analyses a function; `may_end` says which calls may not come back.
    pub fn new(function: &Function, may_end: &dyn Fn(Target) -> bool) -> Self {
        let end = function.code.len() as u32;
        let mut successors: Vec<Vec<u32>> = Vec::with_capacity(function.code.len() + 1);
        for (at, op) in (0_u32..).zip(&function.code) {
            let mut list = Vec::new();
            op.successors(function, at, &mut |next| {
                if next <= end && !list.contains(&next) {
                    list.push(next);
                }
            });
            if list.is_empty() || may_end(at) {
                list.push(end);
            }
            successors.push(list);
        }
        successors.push(Vec::new());
        // An operation that cannot come to the end may be thought to end at any time: that only adds dependences.
        for at in stuck(&successors) {
            successors[at as usize].push(end);
        }
        let next_always = post_dominators(&successors);
        Control { successors, next_always }
    }

    /// Calls back with every operation that happens or not depending on where an operation leads.
    pub fn dependent(&self, at: Target, visit: &mut impl FnMut(Target)) {
        let end = self.successors.len() as u32 - 1;
        let successors = &self.successors[at as usize];
        if successors.len() < 2 {
            return;
        }
        let stop = self.next_always[at as usize];
        for &successor in successors {
            let mut node = successor;
            while node != stop && node != end && node != NONE {
                visit(node);
                node = self.next_always[node as usize];
            }
        }
    }

    /// Whether the function may end otherwise than by returning because of where an operation leads.
    pub fn decides(&self, at: Target, ends_badly: &dyn Fn(Target) -> bool) -> bool {
        let mut decides = self.successors[at as usize].len() > 1 && ends_badly(at);
        self.dependent(at, &mut |other| decides |= ends_badly(other));
        decides
    }
}

fn predecessors(successors: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut before = vec![Vec::new(); successors.len()];
    for (node, list) in (0_u32..).zip(successors) {
        list.iter().for_each(|&next| before[next as usize].push(node));
    }
    before
}

/// Nodes from which no path leads to the end.
fn stuck(successors: &[Vec<u32>]) -> Vec<u32> {
    let before = predecessors(successors);
    let mut comes = vec![false; successors.len()];
    let mut work = vec![successors.len() as u32 - 1];
    while let Some(node) = work.pop() {
        if !std::mem::replace(&mut comes[node as usize], true) {
            work.extend(&before[node as usize]);
        }
    }
    (0_u32..).zip(comes).filter(|(_, comes)| !comes).map(|(node, _)| node).collect()
}

/// Immediate dominators of the reversed graph, from the end: by the order of a depth-first search, until nothing
/// changes.
fn post_dominators(successors: &[Vec<u32>]) -> Vec<u32> {
    let before = predecessors(successors);
    let end = successors.len() as u32 - 1;
    let mut number = vec![NONE; successors.len()];
    let mut order = Vec::with_capacity(successors.len());
    let mut seen = vec![false; successors.len()];
    let mut stack = vec![(end, 0_usize)];
    seen[end as usize] = true;
    while let Some((node, next)) = stack.last_mut() {
        match before[*node as usize].get(*next) {
            Some(&other) => {
                *next += 1;
                if !std::mem::replace(&mut seen[other as usize], true) {
                    stack.push((other, 0));
                }
            }
            None => {
                number[*node as usize] = order.len() as u32;
                order.push(*node);
                stack.pop();
            }
        }
    }
    let mut next = vec![NONE; successors.len()];
    next[end as usize] = end;
    let mut changed = true;
    while changed {
        changed = false;
        for &node in order.iter().rev().filter(|&&node| node != end) {
            let mut meet = NONE;
            for &other in &successors[node as usize] {
                if next[other as usize] == NONE {
                    continue;
                }
                meet = match meet {
                    NONE => other,
                    known => common(&next, &number, known, other),
                };
            }
            changed |= next[node as usize] != meet;
            next[node as usize] = meet;
        }
    }
    next
}

fn common(next: &[u32], number: &[u32], mut one: u32, mut other: u32) -> u32 {
    while one != other {
        while number[one as usize] < number[other as usize] {
            one = next[one as usize];
        }
        while number[other as usize] < number[one as usize] {
            other = next[other as usize];
        }
    }
    one
}
