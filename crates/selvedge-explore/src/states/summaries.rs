//! Footprint summaries: what threads may still do, learned from executions.
//!
//! A thread's place in its code (with its calls) is a node; executions show what it does there and which nodes follow.
//! What lies behind a node is the thread's summary there: it over-approximates what the thread may still do, as far as
//! executions have shown it. A round that used these summaries and ends without anything that contradicts them has used
//! the truth: `docs/search.md` has the argument. Otherwise the next round begins anew with what was learned.

mod gates;

pub use gates::{Gate, Gates};

use crate::Tuning;
use gates::{covers, hull};
use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_machine::{Count, Footprint, Span, Wanted, Word};
use selvedge_trace::mutants::{Mutant, mutant};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, OnceLock};

/// A node by its index; [`UNKNOWN`] if nothing was learned of it yet.
pub type NodeId = u32;
/// No execution has shown this place.
pub const UNKNOWN: NodeId = u32::MAX;

/// What was seen at one place.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Node {
    /// What its operation touches, then or later.
    spans: Vec<Span>,
    /// What the thread frees or takes between here and its next operation.
    tails: Vec<Span>,
    everything: bool,
    exits: bool,
    creates: bool,
    /// What it waits for here. More than one thing is as good as nothing, so no third is kept.
    waits: Vec<Wanted>,
    /// The thread may go on here though the word that it waits for has another value.
    passes: bool,
    /// Nothing of what it does here is done before what it waits for is there; and something is.
    gated: bool,
    ungated: bool,
    /// Keys of what comes next, first operations of created threads included.
    next: Vec<u64>,
    /// For each of these: for which values of a word alone it comes next, if that was always so.
    bounds: Vec<Option<Count>>,
    /// Those that come next when a compare-exchange fails.
    failing: Vec<u64>,
    /// Those that are first operations of created threads.
    born: Vec<u64>,
}

/// How a node follows on another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follow {
    /// The thread has gone on.
    On,
    /// It has gone on because a compare-exchange failed.
    Failing,
    /// It has created a thread that is there.
    Born,
}

/// Everything that was learned so far.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SummaryTable {
    nodes: FxHashMap<u64, Node>,
    /// Locations that loads read, where that matters.
    looked_at: FxHashSet<u64>,
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

impl Node {
    /// Something comes next, for these values of a word alone or for all.
    fn leads_to(&mut self, to: u64, bound: Option<Count>) -> bool {
        let Some(at) = self.next.iter().position(|&next| next == to) else {
            self.next.push(to);
            self.bounds.push(bound);
            return true;
        };
        let known = &mut self.bounds[at];
        let both = known.and_then(|known| hull(known, bound?));
        std::mem::replace(known, both) != both
    }
}

impl SummaryTable {
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
        grown |= footprint.passes && !std::mem::replace(&mut node.passes, true);
        grown |= footprint.gated && !std::mem::replace(&mut node.gated, true);
        grown |= !footprint.gated && !std::mem::replace(&mut node.ungated, true);
        if let Some(wanted) = footprint.waits {
            grown |= add_wanted(&mut node.waits, wanted);
        }
        self.grown |= grown;
    }

    /// Loads read these locations.
    pub fn looks_at(&mut self, addresses: impl IntoIterator<Item = u64>) {
        for address in addresses {
            self.grown |= self.looked_at.insert(address);
        }
    }

    /// All locations that loads read.
    pub fn looked_at(&self) -> &FxHashSet<u64> {
        &self.looked_at
    }

    /// A thread went from one operation to the next, or created a thread that is before that one. `count`: what comes next may
    /// be another operation for other values of a word.
    pub fn went(&mut self, from: u64, to: u64, follow: Follow, count: Option<Count>) {
        if follow == Follow::Born && mutant(Mutant::BirthsUnseen) {
            return;
        }
        self.nodes.entry(to).or_default();
        let node = self.nodes.entry(from).or_default();
        self.grown |= node.leads_to(to, count.filter(|_| follow == Follow::On));
        self.grown |= follow == Follow::Failing && add_once(&mut node.failing, to);
        self.grown |= follow == Follow::Born && add_once(&mut node.born, to);
    }

    /// Between an operation and the next a thread touched something.
    pub fn touched(&mut self, from: u64, spans: &[Span]) {
        for &span in spans {
            self.grown |= add(&mut self.nodes.entry(from).or_default().tails, span);
        }
    }

    /// Takes over what another worker has learned.
    pub fn merge(&mut self, other: SummaryTable) {
        self.looks_at(other.looked_at);
        for (key, theirs) in other.nodes {
            self.grown |= !self.nodes.contains_key(&key);
            let node = self.nodes.entry(key).or_default();
            let mut grown = false;
            theirs.spans.into_iter().for_each(|span| grown |= add(&mut node.spans, span));
            theirs.tails.into_iter().for_each(|span| grown |= add(&mut node.tails, span));
            theirs.waits.into_iter().for_each(|wanted| grown |= add_wanted(&mut node.waits, wanted));
            let next = theirs.next.into_iter().zip(theirs.bounds);
            next.for_each(|(key, bound)| grown |= node.leads_to(key, bound));
            theirs.failing.into_iter().for_each(|key| grown |= add_once(&mut node.failing, key));
            theirs.born.into_iter().for_each(|key| grown |= add_once(&mut node.born, key));
            grown |= theirs.passes && !std::mem::replace(&mut node.passes, true);
            grown |= theirs.gated && !std::mem::replace(&mut node.gated, true);
            grown |= theirs.ungated && !std::mem::replace(&mut node.ungated, true);
            grown |= theirs.everything && !std::mem::replace(&mut node.everything, true);
            grown |= theirs.exits && !std::mem::replace(&mut node.exits, true);
            grown |= theirs.creates && !std::mem::replace(&mut node.creates, true);
            self.grown |= grown;
        }
    }
}

/// What a thread may still do from some place on.
#[derive(Clone, Debug, Default)]
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
    fn tidy(&mut self, pieces: usize) {
        let kind = |span: &Span| (span.read, span.write, span.plain);
        if self.spans.len() > pieces {
            self.spans.sort_unstable_by_key(|span| (kind(span), span.start, span.end));
            let mut joined: Vec<Span> = Vec::with_capacity(self.spans.len());
            for span in self.spans.drain(..) {
                match joined.last_mut() {
                    Some(last)
                        if kind(last) == kind(&span)
                            && span.start <= last.end
                            && (last.adds, span.adds) == (None, None) =>
                    {
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
pub struct Summaries {
    index: FxHashMap<u64, NodeId>,
    nodes: Vec<Known>,
    pub(crate) sums: Sums,
    /// Summaries that end where something is waited for, or where a word would have to hold something else.
    until: Parts,
    /// Summaries that begin where one thing is waited for and end where another is.
    behind: Mutex<FxHashMap<(NodeId, Wanted, Wanted), Arc<Summary>>>,
    /// More separate pieces than this are joined where they touch.
    pieces: usize,
    /// If it is not known after so many rounds how much is added, it counts as endless.
    rounds: u64,
}

struct Known {
    node: Node,
    next: Vec<NodeId>,
    failing: Vec<NodeId>,
    born: Vec<NodeId>,
    whole: OnceLock<Summary>,
    after: OnceLock<Summary>,
    waits: OnceLock<Box<[Wanted]>>,
    counted: OnceLock<Box<[(u64, u64)]>>,
}

impl Known {
    /// What comes next as long as words hold what gates say, until something is waited for; and the word that the thread is
    /// stuck at, if it is.
    fn following<'a>(
        &'a self,
        until: Option<Wanted>,
        gates: &'a [Gate],
    ) -> (impl Iterator<Item = NodeId> + 'a, Option<Word>) {
        let (next, stuck) = self.successors(until);
        let open = move |at: usize| {
            let bound = self.node.bounds[at].filter(|_| stuck.is_none());
            bound.is_none_or(|bound| gates.iter().all(|gate| gate.admits(&bound)))
        };
        (next.iter().copied().enumerate().filter(move |(at, _)| open(*at)).map(|(_, next)| next), stuck)
    }

    /// What comes next, until something is waited for; and the word that it is stuck at, if it is.
    fn successors(&self, until: Option<Wanted>) -> (&[NodeId], Option<Word>) {
        match until {
            _ if self.node.gated && self.node.ungated => (&self.next, None),
            // The same place may wait for one thing after the other: it ends the summary only if it always waits for
            // this one.
            Some(Wanted::Word(word)) if self.node.waits == [Wanted::Word(word)] => {
                (&self.failing, Some(word))
            }
            Some(wanted) if self.node.waits == [wanted] => (&[], None),
            _ => (&self.next, None),
        }
    }
}

impl Known {
    /// Whether a thread can do nothing of what was seen here before it is given what it waits for.
    fn is_shut(&self, until: Option<Wanted>) -> bool {
        let node = &self.node;
        until.is_some_and(|wanted| node.waits == [wanted]) && node.gated && !node.ungated
    }

    /// Between what the operation here may add to a word. Nothing if it may do something else with it.
    fn adds(&self, word: &Span, until: Option<Wanted>) -> Option<(i64, i64)> {
        let (_, stuck) = self.successors(until);
        let writes =
            |span: &&Span| span.write && span.meets(word) && !stuck.is_some_and(|stuck| stuck.meets(span));
        let node = &self.node;
        if node.everything || node.tails.iter().any(|span| writes(&span)) {
            return None;
        }
        let same = |span: &Span| (span.start, span.end) == (word.start, word.end);
        let mut range: Option<(i64, i64)> = None;
        for span in node.spans.iter().filter(writes) {
            let delta = span.adds.filter(|_| same(span))?.delta;
            range = Some(range.map_or((delta, delta), |(low, high)| (low.min(delta), high.max(delta))));
        }
        match range {
            // It may also do something else altogether.
            Some((low, high)) if !node.spans.iter().all(same) => Some((low.min(0), high.max(0))),
            range => Some(range.unwrap_or((0, 0))),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|broken| broken.into_inner())
}

/// Parts of summaries: from a node, until something is waited for, as long as words hold what gates say.
type Parts = Mutex<FxHashMap<(NodeId, Option<Wanted>, Gates), Arc<Summary>>>;

/// What is added to words from some node on: see [`Summaries::additions`].
type Sums = Mutex<FxHashMap<(NodeId, Option<Wanted>, Gates), Arc<WordSums>>>;

/// For each word that was asked for the least and the most that is added.
type WordSums = Mutex<Vec<((u64, u64), Option<(i64, i64)>)>>;

/// What a thread at a node, and those that it creates, may add to words, before they are done or until something is waited
/// for, as long as words hold what gates say.
pub struct Additions<'a> {
    summaries: &'a Summaries,
    node: NodeId,
    until: Option<Wanted>,
    gates: Gates,
    known: Arc<WordSums>,
}

impl Additions<'_> {
    /// Between what is added to a word. Nothing if it may also be written otherwise, or endlessly often.
    pub fn to(&self, word: &Span) -> Option<(i64, i64)> {
        let key = (word.start, word.end);
        let known = lock(&self.known).iter().find(|(known, _)| *known == key).map(|known| known.1);
        known.unwrap_or_else(|| {
            let sums = self.summaries.add_up(self.node, word, self.until, &self.gates);
            lock(&self.known).push((key, sums));
            sums
        })
    }
}

/// More is as good as without bounds.
const MANY_ADDED: i64 = 1 << 20;

impl Summaries {
    /// What was learned until now.
    pub fn new(learned: &SummaryTable, tuning: &Tuning) -> Self {
        let index: FxHashMap<u64, NodeId> =
            learned.nodes.keys().enumerate().map(|(number, &key)| (key, number as NodeId)).collect();
        let mut nodes: Vec<Option<Known>> = (0..index.len()).map(|_| None).collect();
        for (key, node) in &learned.nodes {
            let ids = |keys: &[u64]| {
                keys.iter().map(|key| index.get(key).copied().unwrap_or(UNKNOWN)).collect::<Vec<_>>()
            };
            let (next, failing, born) = (ids(&node.next), ids(&node.failing), ids(&node.born));
            nodes[index[key] as usize] = Some(Known {
                node: node.clone(),
                next,
                failing,
                born,
                whole: OnceLock::new(),
                after: OnceLock::new(),
                waits: OnceLock::new(),
                counted: OnceLock::new(),
            });
        }
        Summaries {
            index,
            nodes: nodes.into_iter().flatten().collect(),
            sums: Sums::default(),
            until: Parts::default(),
            behind: Mutex::default(),
            pieces: tuning.summary_pieces as usize,
            rounds: tuning.sum_rounds,
        }
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
            && (known.passes || !footprint.passes)
            && (known.gated || !footprint.gated)
            && (known.ungated || footprint.gated)
            && footprint.waits.is_none_or(|wanted| known.waits.len() > 1 || known.waits.contains(&wanted))
    }

    /// Whether it is known that one node can follow on another in this relation, for such values of a word.
    pub fn follows(&self, from: NodeId, to: NodeId, follow: Follow, count: Option<Count>) -> bool {
        to != UNKNOWN
            && self.nodes.get(from as usize).is_some_and(|known| match follow {
                Follow::On => known.next.iter().position(|&next| next == to).is_some_and(|at| {
                    known.node.bounds[at].is_none_or(|bound| count.is_some_and(|count| covers(bound, count)))
                }),
                Follow::Failing => known.failing.contains(&to),
                Follow::Born => known.born.contains(&to) || mutant(Mutant::BirthsUnseen),
            })
    }

    /// Whether it is known that this is touched between a node and the next.
    pub fn knows_tails(&self, from: NodeId, spans: &[Span]) -> bool {
        let Some(known) = self.nodes.get(from as usize) else { return spans.is_empty() };
        spans.iter().all(|span| known.node.tails.contains(span))
    }

    /// What the step from a node touches besides its operation.
    pub fn tails(&self, node: NodeId) -> &[Span] {
        self.nodes.get(node as usize).map_or(&[], |known| &known.node.tails)
    }

    /// Whether what a thread does at a node may meet anything.
    pub fn meets_everything(&self, node: NodeId) -> bool {
        self.nodes.get(node as usize).is_some_and(|known| known.node.everything)
    }

    /// The summary of a thread at a node; `None` if nothing is known.
    pub fn whole(&self, node: NodeId) -> Option<&Summary> {
        let known = self.nodes.get(node as usize)?;
        Some(known.whole.get_or_init(|| self.collect([node].into_iter(), None, &[])))
    }

    /// The summary of a thread after its operation at a node.
    pub fn after(&self, node: NodeId) -> Option<&Summary> {
        let known = self.nodes.get(node as usize)?;
        Some(known.after.get_or_init(|| {
            let mut summary = self.collect(known.next.iter().copied(), None, &[]);
            known.node.tails.iter().for_each(|&span| {
                add(&mut summary.spans, span);
            });
            summary.tidy(self.pieces);
            summary
        }))
    }

    /// What is waited for somewhere behind a node.
    pub fn waits(&self, node: NodeId) -> &[Wanted] {
        let Some(known) = self.nodes.get(node as usize) else { return &[] };
        known.waits.get_or_init(|| {
            let mut waits = Vec::new();
            self.reach([node].into_iter(), None, &[], |known, _| {
                known.waits.iter().for_each(|&wanted| {
                    add_once(&mut waits, wanted);
                });
            });
            waits.into_boxed_slice()
        })
    }

    /// The words among these on whose values it depends what a thread does behind a node.
    pub fn gates_at(&self, node: NodeId, gates: &Gates) -> Gates {
        let counted = self.counted(node);
        gates.iter().filter(|gate| counted.contains(&(gate.start, gate.end))).copied().collect()
    }

    /// The summary of a thread at a node up to where it waits for something. For a word: as long as that has another
    /// value. A compare-exchange that expects the value fails then.
    pub fn until(&self, node: NodeId, wanted: Wanted) -> Arc<Summary> {
        self.within(node, Some(wanted), &Gates::new())
    }

    /// The same as long as words hold what gates say.
    pub fn within(&self, node: NodeId, until: Option<Wanted>, gates: &Gates) -> Arc<Summary> {
        let key = (node, until, gates.clone());
        if let Some(summary) = lock(&self.until).get(&key) {
            return summary.clone();
        }
        let summary = Arc::new(self.collect([node].into_iter(), until, gates));
        lock(&self.until).insert(key, summary.clone());
        summary
    }

    /// The words on whose values it depends what a thread does behind a node, and that lead somewhere for some of them alone.
    pub fn counted(&self, node: NodeId) -> &[(u64, u64)] {
        let Some(known) = self.nodes.get(node as usize) else { return &[] };
        known.counted.get_or_init(|| {
            let mut words = Vec::new();
            self.reach([node].into_iter(), None, &[], |known, _| {
                for bound in known.bounds.iter().flatten() {
                    add_once(&mut words, (bound.start, bound.end));
                }
            });
            words.into_boxed_slice()
        })
    }

    /// Whether a thread at a node, wherever it meets these spans, waits for one thing and for nothing else.
    pub fn only_waits(&self, node: NodeId, wanted: Wanted, spans: &[Span]) -> bool {
        let mut only = true;
        let known = self.reach([node].into_iter(), None, &[], |known, _| {
            let meets = |own: &Span| spans.iter().any(|span| span.meets(own));
            only &= known.waits == [wanted] || !known.spans.iter().chain(&known.tails).any(meets);
        });
        known && only
    }

    /// What a thread at a node does once it has waited for one thing, up to where it waits for the end of another thread.
    pub fn behind(&self, node: NodeId, wanted: Wanted, until: Wanted) -> Arc<Summary> {
        if let Some(summary) = lock(&self.behind).get(&(node, wanted, until)) {
            return summary.clone();
        }
        let mut summary = Summary::default();
        let mut first: Vec<NodeId> = Vec::new();
        let mut complete = self.reach_known([node].into_iter(), Some(until), &[], |known, _| {
            if known.node.waits == [wanted] {
                first.extend(&known.next);
                let spans = known.node.spans.iter().filter(|span| !span.is_end());
                spans.chain(&known.node.tails).for_each(|&span| {
                    add(&mut summary.spans, span);
                });
            }
        });
        complete &= self.reach(first.into_iter(), Some(until), &[], |node, _| {
            // Waiting itself comes after the end that is waited for.
            let waits = node.waits == [until];
            let spans = node.spans.iter().filter(|span| !(waits && span.is_end())).chain(&node.tails);
            spans.for_each(|&span| {
                add(&mut summary.spans, span);
            });
            summary.everything |= node.everything || node.creates;
        });
        summary.everything |= !complete;
        summary.tidy(self.pieces);
        let summary = Arc::new(summary);
        lock(&self.behind).insert((node, wanted, until), summary.clone());
        summary
    }

    /// What a thread at a node may add to words, until something is waited for and as long as words hold what gates say.
    pub fn additions(&self, node: NodeId, until: Option<Wanted>, gates: &Gates) -> Additions<'_> {
        let gates = self.gates_at(node, gates);
        let known = lock(&self.sums).entry((node, until, gates.clone())).or_default().clone();
        Additions { summaries: self, node, until, gates, known }
    }

    fn add_up(&self, node: NodeId, word: &Span, until: Option<Wanted>, gates: &[Gate]) -> Option<(i64, i64)> {
        let mut order = vec![node];
        let mut places: FxHashMap<NodeId, usize> = FxHashMap::from_iter([(node, 0)]);
        let mut at = 0;
        while let Some(&number) = order.get(at) {
            let (next, _) = self.nodes.get(number as usize)?.following(until, gates);
            for next in next {
                let count = order.len();
                if *places.entry(next).or_insert(count) == count {
                    order.push(next);
                }
            }
            at += 1;
        }
        let adds: Vec<(i64, i64)> = order
            .iter()
            .map(|&number| self.nodes[number as usize].adds(word, until))
            .collect::<Option<_>>()?;
        // What may have been added at most and at least, from each node on.
        let mut sums = vec![(0_i64, 0_i64); order.len()];
        for _ in 0..self.rounds {
            let mut changed = false;
            for index in (0..order.len()).rev() {
                let known = &self.nodes[order[index] as usize];
                let (next, _) = known.following(until, gates);
                let (mut after, mut children) = ((0, 0), (0, 0));
                for next in next {
                    let sum = sums[places[&next]];
                    match known.born.contains(&next) {
                        true => children = (children.0 + sum.0, children.1 + sum.1),
                        false => after = (after.0.min(sum.0), after.1.max(sum.1)),
                    }
                }
                let least = (adds[index].0 + children.0 + after.0).min(0);
                let most = (adds[index].1 + children.1 + after.1).max(0);
                if least < -MANY_ADDED || most > MANY_ADDED {
                    return None;
                }
                changed |= std::mem::replace(&mut sums[index], (least, most)) != (least, most);
            }
            if !changed {
                return Some(sums[0]);
            }
        }
        None
    }

    fn collect(&self, from: impl Iterator<Item = NodeId>, until: Option<Wanted>, gates: &[Gate]) -> Summary {
        let mut summary = Summary::default();
        let complete = self.reach(from, until, gates, |node, stuck| {
            for &span in node.spans.iter().chain(&node.tails) {
                let span = match stuck {
                    Some(word) if word.meets(&span) && !node.passes => continue,
                    // It fails, so it only reads.
                    Some(word) if word.meets(&span) => Span { write: false, value: None, adds: None, ..span },
                    _ => span,
                };
                add(&mut summary.spans, span);
            }
            summary.everything |= node.everything;
            summary.exits |= node.exits;
            summary.creates |= node.creates;
        });
        summary.everything |= !complete;
        summary.tidy(self.pieces);
        summary
    }

    /// Visits what lies behind nodes; false if something unknown does. `visit` is told at which nodes the thread is stuck
    /// because a word has another value than it waits for.
    fn reach(
        &self,
        from: impl Iterator<Item = NodeId>,
        until: Option<Wanted>,
        gates: &[Gate],
        mut visit: impl FnMut(&Node, Option<Word>),
    ) -> bool {
        self.reach_known(from, until, gates, |known, stuck| visit(&known.node, stuck))
    }

    fn reach_known(
        &self,
        from: impl Iterator<Item = NodeId>,
        until: Option<Wanted>,
        gates: &[Gate],
        mut visit: impl FnMut(&Known, Option<Word>),
    ) -> bool {
        let mut work: Vec<NodeId> = from.collect();
        let mut seen: FxHashSet<NodeId> = work.iter().copied().collect();
        let mut complete = true;
        while let Some(number) = work.pop() {
            let Some(known) = self.nodes.get(number as usize) else {
                complete = false;
                continue;
            };
            let (next, stuck) = known.following(until, gates);
            if !known.is_shut(until) {
                visit(known, stuck);
            }
            work.extend(next.filter(|&next| seen.insert(next)));
        }
        complete
    }
}
