//! The tree of executions as plain data and back.
//!
//! States and events are not kept: they come again when the steps are taken again.

use crate::dpor::execution::Executor;
use crate::dpor::happens_before::HappensBefore;
use crate::dpor::wakeup_tree::{Child, Node, NodeId, SleepEntry, Stage, Tree, WakeupTree};
use crate::kit::checkpoint::{KeptChild, KeptLabel, KeptNode, KeptSpan, KeptStage, KeptTree, KeptWake};
use crate::kit::dependence::EventFootprint;
use crate::kit::event::Outcomes;
use crate::kit::process::{Name, Names};
use rustc_hash::FxHashMap;
use selvedge_machine::{Snapshot, Span};
use std::sync::Arc;

fn keep_spans(spans: &[Span]) -> Vec<KeptSpan> {
    spans.iter().map(|span| (span.start, span.end, span.read, span.write, span.plain)).collect()
}

fn spans<'a>(kept: &'a [KeptSpan]) -> impl Iterator<Item = Span> + 'a {
    kept.iter().map(|&(start, end, read, write, plain)| Span {
        start,
        end,
        read,
        write,
        plain,
        value: None,
        adds: None,
    })
}

fn keep_label(label: &EventFootprint) -> KeptLabel {
    KeptLabel {
        spans: keep_spans(&label.spans),
        gives: keep_spans(&label.gives),
        stores: keep_spans(&label.stores),
        flags: (label.everything, label.creates, label.ends),
    }
}

fn label(kept: &KeptLabel) -> Arc<EventFootprint> {
    let (everything, creates, ends) = kept.flags;
    Arc::new(EventFootprint {
        spans: spans(&kept.spans).collect(),
        gives: spans(&kept.gives).collect(),
        stores: spans(&kept.stores).collect(),
        everything,
        creates,
        ends,
    })
}

fn keep_wake(wake: &WakeupTree) -> Vec<KeptWake> {
    let mut kept = Vec::new();
    let mut work = vec![(0, wake)];
    while let Some((above, wake)) = work.pop() {
        let at = kept.len();
        kept.push(KeptWake {
            above,
            process: wake.process,
            outcomes: wake.outcomes.to_vec(),
            label: keep_label(&wake.label),
        });
        work.extend(wake.children.iter().rev().map(|child| (at, child)));
    }
    kept
}

/// The last ones are complete first: each goes to the one above it, in front of those that went there before.
fn wake(kept: &[KeptWake]) -> Option<WakeupTree> {
    let mut wakes: Vec<WakeupTree> = kept
        .iter()
        .map(|kept| WakeupTree {
            process: kept.process,
            outcomes: Outcomes::from_slice(&kept.outcomes),
            label: label(&kept.label),
            children: Vec::new(),
        })
        .collect();
    for at in (1..wakes.len()).rev() {
        let mut below = wakes.pop()?;
        below.children.reverse();
        wakes.get_mut(kept[at].above)?.children.push(below);
    }
    let mut first = wakes.pop()?;
    first.children.reverse();
    Some(first)
}

/// The tree as it is; what a worker is exploring waits again.
pub fn keep_tree(tree: &Tree, names: &Names) -> KeptTree {
    let mut order: Vec<(NodeId, &Node)> = tree.nodes().collect();
    order.sort_by_key(|(_, node)| node.depth);
    let numbers: FxHashMap<NodeId, usize> =
        order.iter().enumerate().map(|(number, (id, _))| (*id, number)).collect();
    let child = |child: &Child| KeptChild {
        stage: match child.stage {
            Stage::Waiting | Stage::Begun => KeptStage::Waiting,
            Stage::Open(_) => KeptStage::Open,
            Stage::Done => KeptStage::Done,
        },
        wakes: keep_wake(&child.wake),
    };
    let nodes = order.iter().map(|(_, node)| KeptNode {
        parent: node.parent.and_then(|(id, at)| Some((*numbers.get(&id)?, at))),
        free: node.free,
        children: node.children.iter().map(child).collect(),
    });
    let names = names.all().into_iter().map(|name| (name.thread.to_string(), name.buffer));
    KeptTree { names: names.collect(), nodes: nodes.collect() }
}

/// The processes.
pub fn names(kept: &KeptTree) -> Option<Names> {
    let name = |(thread, buffer): &(String, Option<u64>)| {
        Some(Name { thread: thread.parse().ok()?, buffer: *buffer })
    };
    Some(Names::again(kept.names.iter().map(name).collect::<Option<_>>()?))
}

/// The events that lead to a node, and the states between them.
#[derive(Clone, Default)]
struct Prefix {
    past: HappensBefore,
    states: Vec<Option<Arc<Snapshot>>>,
}

/// The tree again; nothing if it does not fit the program.
pub fn tree(kept: &KeptTree, walker: &mut Executor<'_>) -> Option<Tree> {
    let mut tree = Tree::default();
    let mut prefixes: Vec<(NodeId, Prefix)> = Vec::new();
    // How many nodes still come after each.
    let mut after = vec![0_usize; kept.nodes.len()];
    kept.nodes.iter().filter_map(|node| node.parent).for_each(|(above, _)| after[above] += 1);
    let root = Arc::new(walker.runner.machine.snapshot());
    for node in &kept.nodes {
        let child = |child: &KeptChild| {
            let known = child.stage != KeptStage::Waiting;
            let stage = if known { Stage::Done } else { Stage::Waiting };
            Some(Child { wake: wake(&child.wakes)?, known, stage })
        };
        let children: Vec<Child> = node.children.iter().map(child).collect::<Option<_>>()?;
        let (parent, prefix, sleep) = match node.parent {
            None => {
                let past = HappensBefore::new(walker.runner.subject.config.model);
                (None, Prefix { past, states: vec![Some(root.clone())] }, Vec::new())
            }
            Some((above, at)) => {
                let (id, prefix) = prefixes.get_mut(above)?;
                after[above] -= 1;
                let prefix = if after[above] == 0 { std::mem::take(prefix) } else { prefix.clone() };
                let (prefix, sleep) = below(tree.node(*id), prefix, at, walker)?;
                (Some((*id, at)), prefix, sleep)
            }
        };
        let depth = prefix.past.events.len();
        let event = prefix.past.events.last().cloned();
        let state = prefix.states.last().cloned().flatten();
        let id = tree.add(Node {
            parent,
            event,
            state,
            sleep,
            free: node.free,
            children,
            complete: false,
            depth,
            serial: 0,
        });
        if let Some((above, at)) = parent {
            tree.node(above).children.get_mut(at)?.stage = Stage::Open(id);
        }
        prefixes.push((id, prefix));
    }
    tree.look();
    Some(tree)
}

/// Takes the step to a child of a node, and finds out what sleeps there.
fn below(
    above: &Node,
    mut prefix: Prefix,
    at: usize,
    walker: &mut Executor<'_>,
) -> Option<(Prefix, Vec<SleepEntry>)> {
    let Prefix { past, states } = &mut prefix;
    walker.stand(&past.events, states, past.events.len());
    let step = &above.children.get(at)?.wake;
    let (taken, state) = walker.retake(past, step.process, &step.outcomes)?;
    let earlier = above.children[..at]
        .iter()
        .map(|child| SleepEntry { process: child.wake.process, label: child.wake.label.clone() });
    let sleep = above.sleep.iter().cloned().chain(earlier).filter(|sleeper| sleeper.survives(&taken));
    let sleep = sleep.collect();
    past.add(taken, &mut |past, place, process| walker.is_possible(past, states, place, process));
    states.push(Some(state));
    Some((prefix, sleep))
}
