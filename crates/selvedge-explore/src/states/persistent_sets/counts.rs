//! Words to which threads add, and which they compare with constants: counts of references and their like.

use super::PersistentSets;
use crate::states::summaries::{Additions, Gate, Gates, NodeId, Summaries, UNKNOWN};
use selvedge_machine::{Machine, Span, Wanted};
use selvedge_trace::mutants::{Mutant, mutant};
use smallvec::SmallVec;

/// Of more words it is not asked between what values they stay.
const MOST_WORDS: usize = 32;
/// How often bounds are widened before there are none.
const MOST_ROUNDS: usize = 8;

/// What a word holds, as a number with a sign.
fn value_of(machine: &mut Machine, start: u64, end: u64) -> Option<i64> {
    let value = machine.probe().value_at(start, end - start)?;
    match end - start {
        8 => Some(value as i64),
        _ => Some(i64::from(value as u32 as i32)),
    }
}

impl PersistentSets {
    /// Whether two steps add something to a word, and no thread depends on their order, as they and others go on, as
    /// long as no member acts.
    pub(super) fn only_count(
        &self,
        machine: &mut Machine,
        summaries: &Summaries,
        own: &Span,
        span: &Span,
    ) -> bool {
        let (Some(mine), Some(theirs)) = (own.adds, span.adds) else { return false };
        if (own.start, own.end) != (span.start, span.end) || !mine.free || !theirs.free {
            return false;
        }
        if mutant(Mutant::AdditionsCompared) {
            return true;
        }
        let Some((low, high)) = self.count_range(machine, summaries, own) else { return false };
        // Between what the word may hold before their addition, whether mine has come before or not.
        let (least, most) = (low.max(low - theirs.delta), high.min(high - theirs.delta));
        let (least, most) = (least.min(least + mine.delta), most.max(most + mine.delta));
        let apart = theirs.high < least || most < theirs.low;
        // Where it is kept what threads learn from each other, additions that may be the last are not among these.
        if !self.by_value && !(mine.is_open() && (apart || theirs.is_open())) {
            return false;
        }
        mine.low <= low && high <= mine.high && (apart || theirs.low <= least && most <= theirs.high)
    }

    /// Between what values a word stays to which some threads add, as long as no member acts.
    fn count_range(&self, machine: &mut Machine, summaries: &Summaries, word: &Span) -> Option<(i64, i64)> {
        let gates = self.gates(machine, summaries).clone();
        if let Some(gate) = gates.iter().find(|gate| (gate.start, gate.end) == (word.start, word.end)) {
            return Some((gate.low, gate.high));
        }
        let value = value_of(machine, word.start, word.end)?;
        let mut range = (value, value);
        for &index in self.live.iter().filter(|&&index| !self.members[index]) {
            let node = self.views[index].node;
            let stuck = self.stuck(machine, summaries, node);
            let (least, most) = between(&additions(summaries, node, &stuck, &gates), word)?;
            range = (range.0.checked_add(least)?, range.1.checked_add(most)?);
        }
        Some(range)
    }

    /// What a thread may have to wait for that only members can give.
    fn stuck(
        &self,
        machine: &mut Machine,
        summaries: &Summaries,
        node: NodeId,
    ) -> SmallVec<[Option<Wanted>; 4]> {
        let waits = summaries.waits(node).iter();
        let stuck = waits.filter(|&&wanted| self.has_member(machine, summaries, wanted, None));
        [None].into_iter().chain(stuck.map(|&wanted| Some(wanted))).collect()
    }

    /// Words on which it depends what threads do, and between what values they stay as long as no member acts. The bounds
    /// prove themselves: what threads add while the words stay between them leads to none beyond.
    pub(super) fn gates(&self, machine: &mut Machine, summaries: &Summaries) -> &Gates {
        if self.gates.get().is_none() {
            let gates = self.find_gates(machine, summaries).unwrap_or_default();
            return self.gates.get_or_init(|| gates);
        }
        self.gates.get_or_init(Gates::new)
    }

    fn find_gates(&self, machine: &mut Machine, summaries: &Summaries) -> Option<Gates> {
        let others = self.live.iter().filter(|&&index| !self.members[index]);
        let mut words: Vec<(u64, u64)> = Vec::new();
        let mut nodes: SmallVec<[NodeId; 16]> = SmallVec::new();
        for view in others.map(|&index| &self.views[index]) {
            if view.node == UNKNOWN || !view.buffered.is_empty() {
                return None;
            }
            words.extend(summaries.counted(view.node));
            nodes.push(view.node);
        }
        words.sort_unstable();
        words.dedup();
        words.truncate(MOST_WORDS);
        // What is private to a thread may become anything without a step that others see.
        words.retain(|&(start, end)| machine.probe().is_known(start, end - start));
        let first: Gates = words
            .into_iter()
            .filter_map(|word| Some(Gate::new(word, value_of(machine, word.0, word.1)?)))
            .collect();
        if first.is_empty() || mutant(Mutant::ReferencesKept) {
            return Some(first);
        }
        let stuck: SmallVec<[_; 16]> =
            nodes.iter().map(|&node| (node, self.stuck(machine, summaries, node))).collect();
        let mut gates = first.clone();
        for _ in 0..MOST_ROUNDS {
            let added: SmallVec<[_; 16]> =
                stuck.iter().map(|(node, stuck)| additions(summaries, *node, stuck, &gates)).collect();
            let wider: Gates = gates
                .iter()
                .filter_map(|gate| {
                    let from =
                        first.iter().find(|first| (first.start, first.end) == (gate.start, gate.end))?;
                    let mut wider = *from;
                    for thread in &added {
                        let (least, most) = between(thread, &gate.span())?;
                        wider.low = wider.low.checked_add(least)?;
                        wider.high = wider.high.checked_add(most)?;
                    }
                    Some(wider)
                })
                .collect();
            if wider == gates {
                return Some(gates);
            }
            gates = wider;
        }
        None
    }
}

/// What a thread may add to words, by each thing that it has to wait for.
fn additions<'a>(
    summaries: &'a Summaries,
    node: NodeId,
    stuck: &[Option<Wanted>],
    gates: &Gates,
) -> SmallVec<[Additions<'a>; 4]> {
    stuck.iter().map(|&until| summaries.additions(node, until, gates)).collect()
}

/// Between what is added to a word. Each thing that is waited for is judged by itself.
fn between(additions: &[Additions<'_>], word: &Span) -> Option<(i64, i64)> {
    let sums = additions.iter().filter_map(|until| until.to(word));
    sums.reduce(|known, other| (known.0.max(other.0), known.1.min(other.1)))
}
