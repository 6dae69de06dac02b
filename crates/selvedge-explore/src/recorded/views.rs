//! Views that were explored, as a tree of what each thread has observed.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

/// What a thread has observed up to one of its events, by number.
pub type Node = u32;

/// No event yet.
const ROOT: Node = u32::MAX;

/// One event more than another node.
struct Observed {
    history: u128,
    before: Node,
    /// The executions in which a thread has come here: blocks of 64 with one bit for each, in ascending order.
    executions: Vec<(u32, u64)>,
    count: u32,
}

/// How far each thread has come, and what it has observed by then.
pub type Frontier = [(u32, u32, u128)];

/// The views of all executions that went as far as they could.
#[derive(Default)]
pub struct Views {
    nodes: Vec<Observed>,
    by_history: FxHashMap<u128, Node>,
    /// Where the threads of each execution have ended.
    ends: Vec<Box<[Node]>>,
    known: FxHashSet<u128>,
    /// Ends of which nothing more is known.
    others: Vec<u128>,
}

/// Views in little room, for checkpoints.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct ViewParts {
    /// What threads have observed, and the node of one event less.
    nodes: Vec<(u128, Node)>,
    /// Where the threads of each execution have ended.
    ends: Vec<Box<[Node]>>,
    others: Vec<u128>,
}

/// Identifies a combination of histories, one for each thread.
fn digest(histories: impl Iterator<Item = u128>) -> u128 {
    let bytes: Vec<u8> = histories.flat_map(u128::to_le_bytes).collect();
    xxh3_128(&bytes)
}

impl Views {
    /// The node of a history, if some execution has it.
    pub fn node(&self, history: u128) -> Option<Node> {
        self.by_history.get(&history).copied()
    }

    /// Whether some execution has all of these histories.
    pub fn covers(&self, nodes: &[Node], buffer: &mut Vec<Node>) -> bool {
        let all = self.ends.len() as u32;
        buffer.clear();
        // What every execution has observed tells none of them apart.
        buffer.extend(nodes.iter().copied().filter(|&node| self.nodes[node as usize].count < all));
        buffer.sort_unstable_by_key(|&node| self.nodes[node as usize].executions.len());
        let Some((&rarest, others)) = buffer.split_first() else { return all > 0 };
        self.nodes[rarest as usize].executions.iter().rev().any(|&(block, bits)| {
            let mut bits = bits;
            for &other in others {
                let blocks = &self.nodes[other as usize].executions;
                bits &= match blocks.get(block as usize) {
                    Some(&(at, bits)) if at == block => bits,
                    _ => match blocks.binary_search_by_key(&block, |&(at, _)| at) {
                        Ok(place) => blocks[place].1,
                        Err(_) => 0,
                    },
                };
                if bits == 0 {
                    return false;
                }
            }
            true
        })
    }

    /// Whether some execution begins like this.
    pub fn extends(&self, frontier: &Frontier, buffer: &mut Vec<Node>) -> bool {
        let nodes: Option<Vec<Node>> = frontier.iter().map(|&(_, _, history)| self.node(history)).collect();
        nodes.is_some_and(|nodes| self.covers(&nodes, buffer))
    }

    /// Whether an execution is known that ends like this.
    pub fn ends_like(&self, frontier: &Frontier) -> bool {
        self.known.contains(&digest(frontier.iter().map(|&(_, _, history)| history)))
    }

    /// Notes an execution that is no view to begin with by how far its threads came; false if it was known.
    pub fn note_end(&mut self, frontier: &Frontier) -> bool {
        let digest = digest(frontier.iter().map(|&(_, _, history)| history));
        let new = self.known.insert(digest);
        self.others.extend(new.then_some(digest));
        new
    }

    /// Notes an execution by the histories of its threads after each event; false if its view was known.
    pub fn add(&mut self, threads: &[Vec<u128>]) -> bool {
        if !self.known.insert(digest(threads.iter().filter_map(|histories| histories.last().copied()))) {
            return false;
        }
        let number = self.ends.len() as u32;
        let mut ends = Vec::with_capacity(threads.len());
        for histories in threads {
            let mut before = ROOT;
            for &history in histories {
                before = self.enter(history, before);
                self.mark(before, number);
            }
            if before != ROOT {
                ends.push(before);
            }
        }
        self.ends.push(ends.into());
        true
    }

    fn enter(&mut self, history: u128, before: Node) -> Node {
        *self.by_history.entry(history).or_insert_with(|| {
            self.nodes.push(Observed { history, before, executions: Vec::new(), count: 0 });
            self.nodes.len() as Node - 1
        })
    }

    fn mark(&mut self, node: Node, execution: u32) {
        let (block, bit) = (execution / 64, 1 << (execution % 64));
        let node = &mut self.nodes[node as usize];
        node.count += 1;
        match node.executions.last_mut() {
            Some((last, bits)) if *last == block => *bits |= bit,
            _ => node.executions.push((block, bit)),
        }
    }

    /// All that is needed to have this again.
    pub fn parts(&self) -> ViewParts {
        ViewParts {
            nodes: self.nodes.iter().map(|node| (node.history, node.before)).collect(),
            ends: self.ends.clone(),
            others: self.others.clone(),
        }
    }

    /// From the parts; nothing if they do not fit together.
    pub fn again(ViewParts { nodes, ends, others }: ViewParts) -> Option<Self> {
        let mut views = Views::default();
        for (history, before) in nodes {
            let number = views.nodes.len() as Node;
            if (before != ROOT && before >= number) || views.enter(history, before) != number {
                return None;
            }
        }
        for (number, ends) in (0..).zip(ends) {
            for &end in &*ends {
                let mut node = end;
                while node != ROOT {
                    if node as usize >= views.nodes.len() {
                        return None;
                    }
                    views.mark(node, number);
                    node = views.nodes[node as usize].before;
                }
            }
            let last = ends.iter().map(|&end| views.nodes[end as usize].history);
            let digest = digest(last);
            views.known.insert(digest);
            views.ends.push(ends);
        }
        views.known.extend(&others);
        views.others = others;
        Some(views)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Views {
        let mut views = Views::default();
        assert!(views.add(&[vec![1, 2, 3], vec![7]]));
        assert!(views.add(&[vec![1, 5], vec![8]]));
        assert!(!views.add(&[vec![1, 5], vec![8]]));
        for number in 0..200 {
            assert!(views.add(&[vec![1, 100 + number], vec![8, 9]]));
        }
        views
    }

    fn check(views: &Views) {
        let mut buffer = Vec::new();
        let mut extends = |frontier: &Frontier| views.extends(frontier, &mut buffer);
        assert!(extends(&[(0, 1, 1), (1, 1, 8)]));
        assert!(extends(&[(0, 2, 2), (1, 1, 7)]));
        assert!(extends(&[]));
        assert!(!extends(&[(0, 2, 2), (1, 1, 8)]));
        assert!(extends(&[(0, 2, 250), (1, 2, 9)]));
        assert!(!extends(&[(0, 2, 250), (1, 1, 7)]));
        assert!(!extends(&[(0, 2, 999)]));
        assert!(views.ends_like(&[(0, 2, 5), (1, 1, 8)]));
        assert!(!views.ends_like(&[(0, 1, 1), (1, 1, 8)]));
        assert_eq!(views.ends.len(), 202);
    }

    #[test]
    fn beginnings_of_executions_are_known() {
        check(&example());
    }

    #[test]
    fn they_are_known_again() {
        let mut views = example();
        assert!(views.note_end(&[(0, 1, 1)]));
        let again = Views::again(views.parts()).expect("the parts fit");
        check(&again);
        assert!(again.ends_like(&[(0, 1, 1)]));
        assert!(Views::again(ViewParts { nodes: vec![(1, 5)], ..ViewParts::default() }).is_none());
        assert!(Views::again(ViewParts { ends: vec![[0].into()], ..ViewParts::default() }).is_none());
    }
}
