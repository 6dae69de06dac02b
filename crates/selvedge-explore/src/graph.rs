//! The graph of states: its circles.

/// An act that leads from one state to another.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Edge {
    pub from: u32,
    pub to: u32,
    /// Number of the act in the plan of `from`.
    pub act: u16,
}

/// States with the edges that leave them.
pub struct Graph {
    /// Where the edges of a state begin in `edges`.
    first: Vec<u32>,
    edges: Vec<(u32, u16)>,
}

impl Graph {
    /// The graph with so many states.
    pub fn new(states: usize, list: &[Edge]) -> Self {
        let mut first = vec![0_u32; states + 1];
        list.iter().for_each(|edge| first[edge.from as usize + 1] += 1);
        for state in 0..states {
            first[state + 1] += first[state];
        }
        let mut next = first.clone();
        let mut edges = vec![(0, 0); list.len()];
        for edge in list {
            let place = &mut next[edge.from as usize];
            edges[*place as usize] = (edge.to, edge.act);
            *place += 1;
        }
        Graph { first, edges }
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.first.len() - 1
    }

    /// Where the acts of a state lead: (state, number of the act).
    pub fn edges(&self, state: u32) -> &[(u32, u16)] {
        let (first, last) = (self.first[state as usize] as usize, self.first[state as usize + 1] as usize);
        &self.edges[first..last]
    }

    /// Sets of states that can reach each other, if they have more than one state or an edge to themselves.
    pub fn circles(&self) -> Vec<Vec<u32>> {
        const NEW: u32 = u32::MAX;
        let mut index = vec![NEW; self.len()];
        let mut low = vec![0_u32; self.len()];
        let mut on_stack = vec![false; self.len()];
        let (mut stack, mut found, mut count) = (Vec::new(), Vec::new(), 0_u32);
        let mut calls: Vec<(u32, u32)> = Vec::new();
        for start in 0..self.len() as u32 {
            if index[start as usize] != NEW {
                continue;
            }
            calls.push((start, self.first[start as usize]));
            while let Some((state, edge)) = calls.pop() {
                let at = state as usize;
                if index[at] == NEW {
                    (index[at], low[at]) = (count, count);
                    count += 1;
                    stack.push(state);
                    on_stack[at] = true;
                }
                if edge < self.first[at + 1] {
                    calls.push((state, edge + 1));
                    let to = self.edges[edge as usize].0;
                    if index[to as usize] == NEW {
                        calls.push((to, self.first[to as usize]));
                    } else if on_stack[to as usize] {
                        low[at] = low[at].min(index[to as usize]);
                    }
                    continue;
                }
                if let Some(&(parent, _)) = calls.last() {
                    low[parent as usize] = low[parent as usize].min(low[at]);
                }
                if low[at] == index[at] {
                    let mut circle = Vec::new();
                    while let Some(member) = stack.pop() {
                        on_stack[member as usize] = false;
                        circle.push(member);
                        if member == state {
                            break;
                        }
                    }
                    let own = |state: u32| self.edges(state).iter().any(|&(to, _)| to == state);
                    if circle.len() > 1 || own(state) {
                        circle.sort_unstable();
                        found.push(circle);
                    }
                }
            }
        }
        found
    }

    /// The acts that lead from state 0 to every state: (state before, number of the act).
    pub fn parents(&self) -> Vec<Option<(u32, u16)>> {
        let mut parents = vec![None; self.len()];
        let mut seen = vec![false; self.len()];
        let mut work = std::collections::VecDeque::from([0_u32]);
        if let Some(first) = seen.first_mut() {
            *first = true;
        }
        while let Some(state) = work.pop_front() {
            if state as usize >= self.len() {
                continue;
            }
            for &(to, act) in self.edges(state) {
                if !std::mem::replace(&mut seen[to as usize], true) {
                    parents[to as usize] = Some((state, act));
                    work.push_back(to);
                }
            }
        }
        parents
    }
}

/// The acts on the way from state 0 to a state.
pub fn path(parents: &[Option<(u32, u16)>], mut state: u32) -> Vec<u16> {
    let mut acts = Vec::new();
    while let Some((before, act)) = parents[state as usize] {
        acts.push(act);
        state = before;
    }
    acts.reverse();
    acts
}
