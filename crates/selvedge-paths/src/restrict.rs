//! What is left of the trees where some threads take certain paths.

use super::tree::{End, Event, Node, NodeId, TreeEvent, Trees};
use crate::act::Act;
use rustc_hash::FxHashMap;

/// Trees in which some threads have one path only.
pub(super) struct Restricted {
    pub(super) trees: Trees,
    /// For each node of the trees before: which one it is now, if it is there.
    nodes: FxHashMap<NodeId, NodeId>,
    /// For each node: which one it was.
    origins: Vec<NodeId>,
    /// The same for events.
    events: FxHashMap<TreeEvent, TreeEvent>,
    event_origins: Vec<TreeEvent>,
}

impl Restricted {
    /// The trees where the threads of these leaves have no other paths.
    pub(super) fn new(all: &Trees, leaves: &[NodeId]) -> Self {
        let mut path = vec![None; all.threads.len()];
        for &leaf in leaves {
            path[all.nodes[leaf.index()].thread] = Some(leaf);
        }
        let stays = |id: NodeId| path[all.nodes[id.index()].thread].is_none_or(|leaf| all.leads_to(id, leaf));
        let origins: Vec<NodeId> = (0..all.nodes.len() as u32).map(NodeId).filter(|&id| stays(id)).collect();
        let nodes: FxHashMap<NodeId, NodeId> =
            origins.iter().zip(0..).map(|(&before, now)| (before, NodeId(now))).collect();
        let kept: Vec<usize> =
            (0..all.events.len()).filter(|&event| nodes.contains_key(&all.events[event].node)).collect();
        let events: FxHashMap<TreeEvent, TreeEvent> =
            kept.iter().zip(0..).map(|(&before, now)| (TreeEvent(before as u32), TreeEvent(now))).collect();
        let node = |before: &NodeId| {
            let Node { thread, parent, outcome, condition, events: own, end, before, depth } =
                all.nodes[before.index()].clone();
            let end = match end {
                End::Decision { kind, children, closed } => {
                    let children = children.iter().filter_map(|child| nodes.get(child).copied()).collect();
                    End::Decision { kind, children, closed }
                }
                other => other,
            };
            Node {
                thread,
                parent: parent.map(|parent| nodes[&parent]),
                outcome,
                condition,
                events: own.iter().map(|event| events[event]).collect(),
                end,
                before: before.map(|event| events[&event]),
                depth,
            }
        };
        let event = |&before: &usize| {
            let event = all.events[before].clone();
            debug_assert!(!matches!(event.act, Act::Fork { thread } if thread >= all.threads.len()));
            Event {
                node: nodes[&event.node],
                previous: event.previous.map(|previous| events[&previous]),
                leader: events[&event.leader],
                ..event
            }
        };
        let threads = all.threads.iter().map(|tree| {
            let mut tree = tree.clone();
            tree.root = nodes[&tree.root];
            tree
        });
        let trees = Trees {
            terms: all.terms.clone(),
            threads: threads.collect(),
            nodes: origins.iter().map(node).collect(),
            events: kept.iter().map(event).collect(),
            initial: all.initial.clone(),
            objects: all.objects.clone(),
            names: all.names.clone(),
        };
        let event_origins = kept.iter().map(|&before| TreeEvent(before as u32)).collect();
        Restricted { trees, nodes, origins, events, event_origins }
    }

    /// A node of all trees among these.
    pub(super) fn now(&self, node: NodeId) -> Option<NodeId> {
        self.nodes.get(&node).copied()
    }

    /// An event of all trees among these.
    pub(super) fn event_now(&self, event: TreeEvent) -> Option<TreeEvent> {
        self.events.get(&event).copied()
    }

    /// An event of these among all trees.
    pub(super) fn event_origin(&self, event: TreeEvent) -> TreeEvent {
        self.event_origins[event.index()]
    }

    /// A node of these among all trees.
    pub(super) fn origin(&self, node: NodeId) -> NodeId {
        self.origins[node.index()]
    }
}
