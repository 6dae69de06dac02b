//! Observers: threads that can no longer influence any other thread.
//!
//! Leaving out all steps of an observer leaves a possible execution in which the others do the same. That includes the
//! threads that wait for its end: what they do after it is left out with it, so that must not influence any other
//! thread either.

use crate::states::persistent_sets::{PersistentSet, PersistentSets};
use crate::states::summaries::{Summaries, Summary};
use selvedge_machine::{Span, Wanted};
use selvedge_trace::mutants::{Mutant, mutant};
use smallvec::SmallVec;

impl PersistentSets {
    /// Puts off all observers but one.
    pub(crate) fn postpone(&mut self, summaries: &Summaries, watched: Option<usize>) {
        for at in 0..self.live.len() {
            let index = self.live[at];
            self.views[index].postponed = Some(index) != watched && self.observes(summaries, index);
        }
    }

    /// The observers of a plan, if a thread acts that is none.
    pub(crate) fn note_observers(&self, summaries: &Summaries, plan: &mut PersistentSet) {
        let mut actors: SmallVec<[usize; 8]> = SmallVec::new();
        for act in &plan.acts {
            let thread = crate::kit::step::thread_of(act.pick).index();
            if actors.last() != Some(&thread) {
                actors.push(thread);
            }
        }
        if actors.len() > 1 {
            let observers: SmallVec<[usize; 4]> =
                actors.iter().copied().filter(|&index| self.observes(summaries, index)).collect();
            if observers.len() < actors.len() {
                plan.observers = observers;
            }
        }
    }

    /// Whether no other thread can ever notice what a thread may still do, nor when it ends.
    fn observes(&self, summaries: &Summaries, index: usize) -> bool {
        let view = &self.views[index];
        let Some(whole) = summaries.whole(view.node) else { return false };
        // Its result must not depend on what it sees; and no other thread may join the threads that it joins.
        let unnoticed = |span: &Span| match span.read {
            true => !self.is_met_by_others(summaries, index, span),
            false => span.value.is_some() || mutant(Mutant::ObserverResult),
        };
        let silent = |span: &Span| !span.write || (span.is_end() && unnoticed(span));
        let reads = || whole.spans.iter().any(|span| span.read && !span.is_end());
        (whole.spans.iter().all(silent) || mutant(Mutant::ObserverWrites) && reads())
            && !whole.everything
            && !whole.creates
            && view.buffered.is_empty()
            && (mutant(Mutant::ObserverJoined) || self.ends_unnoticed(summaries, index, whole))
    }

    /// Whether another thread may join a thread, too.
    fn is_met_by_others(&self, summaries: &Summaries, index: usize, span: &Span) -> bool {
        let joins = |theirs: &Span| theirs.read && theirs.meets(span);
        self.live.iter().filter(|&&other| other != index).any(|&other| {
            let theirs = summaries.whole(self.views[other].node);
            theirs.is_none_or(|theirs| theirs.everything || theirs.spans.iter().any(joins))
        })
    }

    /// Whether no thread can notice when this one ends: a thread that waits for its end does nothing after it that
    /// meets what the rest may do before they are joined as well.
    fn ends_unnoticed(&self, summaries: &Summaries, index: usize, whole: &Summary) -> bool {
        let ends: SmallVec<[Span; 2]> =
            whole.spans.iter().copied().filter(|span| span.is_end() && !span.read).collect();
        let mut others = self.live.iter().filter(|&&other| other != index);
        others.all(|&other| {
            let Some(theirs) = summaries.whole(self.views[other].node) else { return false };
            let meets = ends.iter().any(|end| theirs.meeting(*end).any(|_| true));
            !theirs.everything && (!meets || self.waits_unnoticed(summaries, index, other, &ends))
        })
    }

    fn waits_unnoticed(&self, summaries: &Summaries, index: usize, waiting: usize, ends: &[Span]) -> bool {
        let (node, wanted) = (self.views[waiting].node, Wanted::End(self.views[index].handle));
        summaries.only_waits(node, wanted, ends)
            && self.live.iter().all(|&other| {
                let view = &self.views[other];
                let Some(theirs) = summaries.whole(view.node) else { return false };
                if theirs.creates {
                    return false;
                }
                if other == index || other == waiting {
                    return true;
                }
                let tail = summaries.behind(node, wanted, Wanted::End(view.handle));
                let meets = |span: &Span| {
                    let buffered = view.buffered.iter().any(|other| other.conflicts(span));
                    buffered || theirs.meeting(*span).any(|other| other.conflicts(span))
                };
                !tail.everything && !theirs.everything && !tail.spans.iter().any(meets)
            })
    }
}
