//! What threads may still do, learned from executions.
//!
//! A thread's place in its code (with its calls) is a node; executions show what it does there and where it goes next. What
//! lies behind a node over-approximates the thread's future as far as executions have shown it. An exploration that used
//! this knowledge and comes to its end without having learned anything new has used the truth: `docs/search.md` has
//! the argument. Otherwise it has to be begun anew with what was learned.

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_machine::{Footprint, Span, Wanted, Word};
use std::sync::{Arc, Mutex, OnceLock};

/// A node by its index; [`UNKNOWN`] if nothing was learned of it yet.
pub type NodeId = u32;
/// No execution has shown this place.
pub const UNKNOWN: NodeId = u32::MAX;
/// More separate pieces than this are joined where they touch.
const MANY: usize = 24;

/// What was seen at one place.
#[derive(Clone, Debug, Default)]
struct Node {
    /// What its operation touches, then or later.
    spans: Vec<Span>,
    /// What the thread frees or takes on its way from here to its next operation.
    tails: Vec<Span>,
    everything: bool,
    exits: bool,
    creates: bool,
    /// What it waits for here. More than one thing is as good as nothing, so no third is kept.
    waits: Vec<Wanted>,
    /// What waits for a word here cannot go on without.
    blocks: bool,
    /// Keys of what comes next, first operations of created threads included.
    next: Vec<u64>,
    /// Those that come next when a compare-exchange fails.
    failing: Vec<u64>,
}

/// Everything that was learned so far.
#[derive(Clone, Debug, Default)]
pub struct Learned {
    nodes: FxHashMap<u64, Node>,
    /// Something was added since the last time this was reset.
    pub grown: bool,
}

/// Whether two spans differ in nothing but what they write.
fn same_access(a: &Span, b: &Span) -> bool {
    Span { value: None, ..*a } == Span { value: None, ..*b }
}

/// Adds a span; spans of the same bytes that write different values become one that writes some value.
fn add(spans: &mut Vec<Span>, span: Span) -> bool {
    let same = |known: &&mut Span| same_access(known, &span);
    match spans.iter_mut().find(same) {
        Some(known) if known.value == span.value || known.value.is_none() => false,
        Some(known) => {
            known.value = None;
            true
        }
        None => {
            spans.push(span);
            true
        }
    }
}

fn add_wanted(waits: &mut Vec<Wanted>, wanted: Wanted) -> bool {
    waits.len() < 2 && add_once(waits, wanted)
}

fn add_once<T: PartialEq>(list: &mut Vec<T>, item: T) -> bool {
    let new = !list.contains(&item);
    if new {
        list.push(item);
    }
    new
}

impl Learned {
    /// A thread is before an operation.
    pub fn at(&mut self, key: u64, footprint: &Footprint) {
        let new = !self.nodes.contains_key(&key);
        let node = self.nodes.entry(key).or_default();
        let mut grown = new;
        for &span in footprint.spans.iter().chain(&footprint.later) {
            grown |= add(&mut node.spans, span);
        }
        grown |= footprint.everything && !std::mem::replace(&mut node.everything, true);
        grown |= footprint.exits && !std::mem::replace(&mut node.exits, true);
        grown |= footprint.creates && !std::mem::replace(&mut node.creates, true);
        grown |= footprint.blocks && !std::mem::replace(&mut node.blocks, true);
        if let Some(wanted) = footprint.waits {
            grown |= add_wanted(&mut node.waits, wanted);
        }
        self.grown |= grown;
    }

    /// A thread went from one operation to the next, or created a thread that is before that one; whether because a
    /// compare-exchange failed.
    pub fn went(&mut self, from: u64, to: u64, failing: bool) {
        self.nodes.entry(to).or_default();
        let node = self.nodes.entry(from).or_default();
        self.grown |= add_once(&mut node.next, to);
        self.grown |= failing && add_once(&mut node.failing, to);
    }

    /// On its way from an operation to the next a thread touched something.
    pub fn touched(&mut self, from: u64, spans: &[Span]) {
        for &span in spans {
            self.grown |= add(&mut self.nodes.entry(from).or_default().tails, span);
        }
    }

    /// Takes over what somebody else has learned.
    pub fn merge(&mut self, other: Learned) {
        for (key, theirs) in other.nodes {
            self.grown |= !self.nodes.contains_key(&key);
            let node = self.nodes.entry(key).or_default();
            let mut grown = false;
            theirs.spans.into_iter().for_each(|span| grown |= add(&mut node.spans, span));
            theirs.tails.into_iter().for_each(|span| grown |= add(&mut node.tails, span));
            theirs.waits.into_iter().for_each(|wanted| grown |= add_wanted(&mut node.waits, wanted));
            theirs.next.into_iter().for_each(|key| grown |= add_once(&mut node.next, key));
            theirs.failing.into_iter().for_each(|key| grown |= add_once(&mut node.failing, key));
            grown |= theirs.blocks && !std::mem::replace(&mut node.blocks, true);
            grown |= theirs.everything && !std::mem::replace(&mut node.everything, true);
            grown |= theirs.exits && !std::mem::replace(&mut node.exits, true);
            grown |= theirs.creates && !std::mem::replace(&mut node.creates, true);
            self.grown |= grown;
        }
    }
}

/// A thread's future from some place on.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct Summary {
    /// Sorted by their first bytes.
    pub spans: Vec<Span>,
    /// Bytes of the longest of them.
    longest: u64,
    pub everything: bool,
    pub exits: bool,
    pub creates: bool,
}

impl Summary {
    /// Puts the spans in order; many of them are joined where they touch.
    fn tidy(&mut self) {
        let kind = |span: &Span| (span.read, span.write, span.plain);
        if self.spans.len() > MANY {
            self.spans.sort_unstable_by_key(|span| (kind(span), span.start, span.end));
            let mut joined: Vec<Span> = Vec::with_capacity(self.spans.len());
            for span in self.spans.drain(..) {
                match joined.last_mut() {
                    Some(last) if kind(last) == kind(&span) && span.start <= last.end => {
                        last.end = last.end.max(span.end);
                        last.value = None;
                    }
                    _ => joined.push(span),
                }
            }
            self.spans = joined;
        }
        self.spans.sort_unstable_by_key(|span| span.start);
        self.longest = self.spans.iter().map(|span| span.end - span.start).max().unwrap_or(0);
    }

    /// The spans that meet one.
    pub fn meeting(&self, span: Span) -> impl Iterator<Item = &Span> {
        let first = self.spans.partition_point(|other| other.start + self.longest <= span.start);
        let candidates = self.spans[first..].iter().take_while(move |other| other.start < span.end);
        candidates.filter(move |other| other.meets(&span))
    }
}

/// What was learned, as it stands during one exploration.
pub struct Futures {
    index: FxHashMap<u64, NodeId>,
    nodes: Vec<Known>,
    /// Futures that end where a certain thread is waited for.
    until: Mutex<FxHashMap<(NodeId, Wanted), Arc<Summary>>>,
}

struct Known {
    node: Node,
    next: Vec<NodeId>,
    failing: Vec<NodeId>,
    whole: OnceLock<Summary>,
    after: OnceLock<Summary>,
    waits: OnceLock<Box<[Wanted]>>,
}

impl Futures {
    /// What was learned until now.
    pub fn new(learned: &Learned) -> Self {
        let index: FxHashMap<u64, NodeId> =
            learned.nodes.keys().enumerate().map(|(number, &key)| (key, number as NodeId)).collect();
        let mut nodes: Vec<Option<Known>> = (0..index.len()).map(|_| None).collect();
        for (key, node) in &learned.nodes {
            let ids = |keys: &[u64]| {
                keys.iter().map(|key| index.get(key).copied().unwrap_or(UNKNOWN)).collect::<Vec<_>>()
            };
            let (next, failing) = (ids(&node.next), ids(&node.failing));
            nodes[index[key] as usize] = Some(Known {
                node: node.clone(),
                next,
                failing,
                whole: OnceLock::new(),
                after: OnceLock::new(),
                waits: OnceLock::new(),
            });
        }
        Futures { index, nodes: nodes.into_iter().flatten().collect(), until: Mutex::default() }
    }

    /// The node of a key.
    pub fn node(&self, key: u64) -> NodeId {
        self.index.get(&key).copied().unwrap_or(UNKNOWN)
    }

    /// Whether it is known that this can be pending at a node.
    pub fn knows(&self, node: NodeId, footprint: &Footprint) -> bool {
        let Some(known) = self.nodes.get(node as usize) else { return false };
        let known = &known.node;
        let has = |span: &Span| {
            known
                .spans
                .iter()
                .any(|other| same_access(other, span) && (other.value.is_none() || other.value == span.value))
        };
        footprint.spans.iter().chain(&footprint.later).all(has)
            && (known.everything || !footprint.everything)
            && (known.exits || !footprint.exits)
            && (known.creates || !footprint.creates)
            && (known.blocks || !footprint.blocks)
            && footprint.waits.is_none_or(|wanted| known.waits.len() > 1 || known.waits.contains(&wanted))
    }

    /// Whether it is known that one node can follow on another, because a compare-exchange fails or not.
    pub fn follows(&self, from: NodeId, to: NodeId, failing: bool) -> bool {
        to != UNKNOWN
            && self.nodes.get(from as usize).is_some_and(|known| match failing {
                true => known.failing.contains(&to),
                false => known.next.contains(&to),
            })
    }

    /// Whether it is known that this is touched on the way from a node to the next.
    pub fn knows_tails(&self, from: NodeId, spans: &[Span]) -> bool {
        let Some(known) = self.nodes.get(from as usize) else { return spans.is_empty() };
        spans.iter().all(|span| known.node.tails.contains(span))
    }

    /// What the step from a node touches besides its operation.
    pub fn tails(&self, node: NodeId) -> &[Span] {
        self.nodes.get(node as usize).map_or(&[], |known| &known.node.tails)
    }

    /// The future of a thread at a node; `None` if nothing is known.
    pub fn whole(&self, node: NodeId) -> Option<&Summary> {
        let known = self.nodes.get(node as usize)?;
        Some(known.whole.get_or_init(|| self.collect([node].into_iter(), None)))
    }

    /// The future of a thread after its operation at a node.
    pub fn after(&self, node: NodeId) -> Option<&Summary> {
        let known = self.nodes.get(node as usize)?;
        Some(known.after.get_or_init(|| {
            let mut summary = self.collect(known.next.iter().copied(), None);
            known.node.tails.iter().for_each(|&span| {
                add(&mut summary.spans, span);
            });
            summary.tidy();
            summary
        }))
    }

    /// What is waited for somewhere behind a node.
    pub fn waits(&self, node: NodeId) -> &[Wanted] {
        let Some(known) = self.nodes.get(node as usize) else { return &[] };
        known.waits.get_or_init(|| {
            let mut waits = Vec::new();
            self.reach([node].into_iter(), None, |known, _| {
                known.waits.iter().for_each(|&wanted| {
                    add_once(&mut waits, wanted);
                });
            });
            waits.into_boxed_slice()
        })
    }

    /// The future of a thread at a node up to where it waits for something. For a word: as long as that has another value.
    /// A compare-exchange that expects the value fails then.
    pub fn until(&self, node: NodeId, wanted: Wanted) -> Arc<Summary> {
        let known = self.until.lock().unwrap_or_else(|broken| broken.into_inner());
        if let Some(summary) = known.get(&(node, wanted)) {
            return summary.clone();
        }
        drop(known);
        let summary = Arc::new(self.collect([node].into_iter(), Some(wanted)));
        let mut known = self.until.lock().unwrap_or_else(|broken| broken.into_inner());
        known.insert((node, wanted), summary.clone());
        summary
    }

    fn collect(&self, from: impl Iterator<Item = NodeId>, until: Option<Wanted>) -> Summary {
        let mut summary = Summary::default();
        let complete = self.reach(from, until, |node, stuck| {
            for &span in node.spans.iter().chain(&node.tails) {
                let span = match stuck {
                    Some(word) if word.meets(&span) && node.blocks => continue,
                    // It fails, so it only reads.
                    Some(word) if word.meets(&span) => Span { write: false, value: None, ..span },
                    _ => span,
                };
                add(&mut summary.spans, span);
            }
            summary.everything |= node.everything;
            summary.exits |= node.exits;
            summary.creates |= node.creates;
        });
        summary.everything |= !complete;
        summary.tidy();
        summary
    }

    /// Visits what lies behind nodes; false if something unknown does. `visit` is told at which nodes the thread is stuck
    /// because a word has another value than it waits for.
    fn reach(
        &self,
        from: impl Iterator<Item = NodeId>,
        until: Option<Wanted>,
        mut visit: impl FnMut(&Node, Option<Word>),
    ) -> bool {
        let mut work: Vec<NodeId> = from.collect();
        let mut seen: FxHashSet<NodeId> = work.iter().copied().collect();
        let mut complete = true;
        while let Some(number) = work.pop() {
            let Some(known) = self.nodes.get(number as usize) else {
                complete = false;
                continue;
            };
            // The same place may wait for one thing after the other: it ends the future only if it always waits
            // for this one.
            let ends = until.is_some_and(|wanted| known.node.waits == [wanted]);
            let stuck = match until {
                Some(Wanted::Word(word)) if ends => Some(word),
                _ => None,
            };
            visit(&known.node, stuck);
            let next = if ends { &known.failing } else { &known.next };
            work.extend(next.iter().copied().filter(|&next| seen.insert(next)));
        }
        complete
    }
}
