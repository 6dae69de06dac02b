//! The graph of states, and its cycles.

/// An act that leads from one state to another.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    pub from: u32,
    pub to: u32,
    /// Number of the act in the plan of `from`.
    pub act: u16,
}

/// States with the edges that leave them.
#[derive(Default)]
pub struct Graph {
    /// Where the edges of a state begin.
    first: Vec<u32>,
    to: Vec<u32>,
    acts: Vec<u16>,
}

/// Bytes that it takes to make a graph and to look for its cycles or its parents, for each state and for each edge.
const STATE_ROOM: u64 = 4 + 4 + 4 + 2;
const EDGE_ROOM: u64 = 4 + 2;

impl Graph {
    /// The graph with so many states and edges. `each` visits the edges; it is asked twice.
    pub fn new<E>(
        states: usize,
        edges: usize,
        each: impl Fn(&mut dyn FnMut(Edge)) -> Result<(), E>,
    ) -> Result<Self, E> {
        // While edges are put to their places, the next place of a state's edges is kept with the state after it.
        let mut first = vec![0_u32; states + 2];
        each(&mut |edge| first[edge.from as usize + 2] += 1)?;
        for state in 0..states {
            first[state + 2] += first[state + 1];
        }
        let (mut to, mut acts) = (vec![0; edges], vec![0; edges]);
        each(&mut |edge| {
            let place = &mut first[edge.from as usize + 1];
            (to[*place as usize], acts[*place as usize]) = (edge.to, edge.act);
            *place += 1;
        })?;
        first.pop();
        Ok(Graph { first, to, acts })
    }

    /// The graph with so many states and these edges.
    pub fn of(states: usize, list: &[Edge]) -> Self {
        let each = |visit: &mut dyn FnMut(Edge)| {
            list.iter().copied().for_each(visit);
            Ok::<(), std::convert::Infallible>(())
        };
        match Graph::new(states, list.len(), each) {
            Ok(graph) => graph,
            Err(never) => match never {},
        }
    }

    /// Bytes that a graph of this size takes.
    pub fn room(states: u64, edges: u64) -> u64 {
        states * STATE_ROOM + edges * EDGE_ROOM
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.first.len().saturating_sub(1)
    }

    /// Where the acts of a state lead: (state, number of the act).
    pub fn edges(&self, state: u32) -> impl Iterator<Item = (u32, u16)> {
        let (first, last) = (self.first[state as usize] as usize, self.first[state as usize + 1] as usize);
        let to = self.to[first..last].iter().copied();
        to.zip(self.acts[first..last].iter().copied())
    }

    /// Sets of states that can reach each other, if they have more than one state or an edge to themselves.
    pub fn components(&self) -> Vec<Vec<u32>> {
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
                    let to = self.to[edge as usize];
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
                    let mut component = Vec::new();
                    while let Some(member) = stack.pop() {
                        on_stack[member as usize] = false;
                        component.push(member);
                        if member == state {
                            break;
                        }
                    }
                    let own = |state: u32| self.edges(state).any(|(to, _)| to == state);
                    if component.len() > 1 || own(state) {
                        component.sort_unstable();
                        found.push(component);
                    }
                }
            }
        }
        found
    }

    /// How every state is reached from state 0, by the fewest edges.
    pub fn parents(&self) -> Parents {
        const NEW: u32 = u32::MAX;
        let mut parents = Parents { before: vec![NEW; self.len()], acts: vec![0; self.len()] };
        let mut work = std::collections::VecDeque::from([0_u32]);
        if let Some(first) = parents.before.first_mut() {
            *first = 0;
        }
        while let Some(state) = work.pop_front() {
            if state as usize >= self.len() {
                continue;
            }
            for (to, act) in self.edges(state) {
                if parents.before[to as usize] == NEW {
                    (parents.before[to as usize], parents.acts[to as usize]) = (state, act);
                    work.push_back(to);
                }
            }
        }
        parents
    }
}

/// For every state the one before it on the path from state 0, and the number of the act there.
pub struct Parents {
    before: Vec<u32>,
    acts: Vec<u16>,
}

/// The acts on the path from state 0 to a state.
pub fn path(parents: &Parents, mut state: u32) -> Vec<u16> {
    let mut acts = Vec::new();
    while let Some(&before) = parents.before.get(state as usize).filter(|_| state != 0)
        && before != u32::MAX
    {
        acts.push(parents.acts[state as usize]);
        state = before;
    }
    acts.reverse();
    acts
}

#[test]
fn edges_belong_to_their_states() {
    let list = [(2, 0, 5), (0, 1, 1), (1, 1, 0), (2, 1, 6), (0, 2, 2)];
    let list = list.map(|(from, to, act)| Edge { from, to, act });
    let graph = Graph::of(4, &list);
    let edges = |state| graph.edges(state).collect::<Vec<_>>();
    assert_eq!(graph.len(), 4);
    assert_eq!([edges(0), edges(1)], [vec![(1, 1), (2, 2)], vec![(1, 0)]]);
    assert_eq!([edges(2), edges(3)], [vec![(0, 5), (1, 6)], vec![]]);
    let mut components = graph.components();
    components.sort();
    assert_eq!(components, [vec![0, 2], vec![1]]);
    assert_eq!(path(&graph.parents(), 2), [2]);
}
