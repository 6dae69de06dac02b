//! The memory models, and what each demands of a graph besides coherence and atomicity.

use crate::Graph;
use selvedge_trace::Model;

/// Which graphs are executions. All rules include coherence, atomicity, and that nothing causes itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rules {
    /// C++20 as RC11 puts it.
    #[default]
    Rc11,
    /// Of these, what a machine can show whose writes become visible to all others at once.
    Mca,
    /// What x86's store buffers can show.
    Tso,
    /// Sequential consistency.
    Sc,
}

impl Rules {
    /// What tells which graphs are executions under a model; nothing where graphs do not say that.
    pub fn of_graphs(model: Model) -> Option<Rules> {
        match model {
            Model::Sc => Some(Rules::Sc),
            Model::Tso => Some(Rules::Tso),
            Model::Pso => None,
            Model::Rc11 => Some(Rules::Rc11),
            Model::Mca => Some(Rules::Mca),
        }
    }

    /// Which graphs are kept while a program runs: those of its model, or of the language's if executions are no graphs.
    pub fn of(model: Model) -> Rules {
        Rules::of_graphs(model).filter(|_| model.is_graph()).unwrap_or_default()
    }
}

impl Graph {
    /// Whether the order of sequentially consistent events and that of the machine (if the rules have one) have no
    /// cycle. An event that was added last in the order of its location, and that nothing reads yet, closes none.
    pub fn is_acyclic(&self, rules: Rules) -> bool {
        match rules {
            Rules::Rc11 => self.psc_is_acyclic(),
            Rules::Mca => self.psc_is_acyclic() && self.observation_is_acyclic(rules),
            Rules::Tso | Rules::Sc => self.observation_is_acyclic(rules),
        }
    }
}

/// Whether a graph over `0..count` has a cycle.
pub(crate) fn has_circle(count: usize, mut successors: impl FnMut(usize, &mut Vec<usize>)) -> bool {
    #[derive(Clone, Copy, PartialEq)]
    enum Seen {
        No,
        Open,
        Done,
    }
    let mut seen = vec![Seen::No; count];
    for start in 0..count {
        if seen[start] != Seen::No {
            continue;
        }
        seen[start] = Seen::Open;
        let mut path = vec![(start, Vec::new())];
        successors(start, &mut path[0].1);
        while let Some((node, open)) = path.last_mut() {
            let Some(next) = open.pop() else {
                seen[*node] = Seen::Done;
                path.pop();
                continue;
            };
            match seen[next] {
                Seen::Open => return true,
                Seen::Done => {}
                Seen::No => {
                    seen[next] = Seen::Open;
                    let mut further = Vec::new();
                    successors(next, &mut further);
                    path.push((next, further));
                }
            }
        }
    }
    false
}
