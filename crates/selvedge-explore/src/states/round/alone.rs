//! The last thread alive.
//!
//! Nothing has to be chosen for it, so it runs on; but what it does then it may also do in another order of steps while
//! others are there, so it belongs to its summary. The search looks at it operation by operation, without states.

use crate::kit::step::{self, Advanced};
use crate::states::persistent_sets::{Act, Level};
use crate::states::round::{Explorer, Ghost};
use crate::states::summaries::NodeId;
use selvedge_machine::{Footprint, Pick, Span};
use selvedge_trace::{Reduction, ThreadId};

/// After how many operations it is checked whether the thread is on a cycle, and whether to stop.
const OFTEN: u64 = 64;

impl Explorer<'_, '_> {
    /// Whether machines that replay schedules run on where this one stops: while a thread is alone.
    fn stops_more_often(&self) -> bool {
        let config = self.round.config;
        (config.every_step || config.stops_alone) && !config.operational
    }

    /// Notes an act on the counterexample, unless a machine that replays it does it by itself.
    pub(crate) fn note_act(&mut self, act: Act, store: Option<Span>) {
        let more_often = self.stops_more_often();
        let Some(counterexample) = &mut self.counterexample else { return };
        let thread = step::thread_of(act.pick).index();
        // Nor has the last thread commits there: its buffer is drained when it becomes the last one.
        let done = match act.pick {
            Pick::Commit { .. } => self.machine.inspect().is_alone(),
            Pick::Step { .. } => {
                counterexample.ran_alone && !act.left_out && self.machine.probe().goes_on_alone(thread)
            }
        };
        counterexample.act(act, &self.machine);
        if !(more_often && done) {
            counterexample.push(act, store);
        }
        if let Pick::Step { .. } = act.pick {
            counterexample.ran_alone = self.machine.inspect().runs_alone(thread);
        }
    }

    /// Lets the last thread alive, which has just acted, go on as long as there is nothing to be chosen, and takes note of what it
    /// does. `creator` becomes where it was before its last step. False if the execution is over.
    pub(crate) fn run_alone(
        &mut self,
        ghost: &mut Ghost,
        thread: usize,
        creator: &mut (u64, NodeId),
    ) -> bool {
        let on = self.round.options.reductions.has(Reduction::LastThread);
        if !on || self.round.level == Level::None || !self.stops_more_often() {
            return true;
        }
        let threads = self.machine.threads().len();
        let most = self.round.options.tuning.alone_steps;
        let mut seen = None;
        for length in 1_u64.. {
            if self.machine.threads().len() != threads || !self.machine.probe().goes_on_alone(thread) {
                return true;
            }
            self.note_pending(ghost, thread);
            if length > most {
                self.note_anything(ghost, thread);
                self.machine.let_run();
            }
            let pick = Pick::Step { thread: ThreadId(thread as u16), alternative: 0 };
            let round = match length % OFTEN == 0 {
                true => self.goes_round(&mut seen, length / OFTEN, thread),
                false => None,
            };
            let act = Act { pick, left_out: false };
            let Some(advanced) = round.or_else(|| self.advance(act)) else { return false };
            self.note_failure(ghost, thread, advanced);
            if !self.goes_on(advanced) {
                return false;
            }
            *creator = (ghost.keys[thread], ghost.nodes[thread]);
            self.note_step(ghost, thread);
        }
        true
    }

    /// Whether the thread has come to a state that it was in at the last power of two, or is to stop.
    fn goes_round(&mut self, seen: &mut Option<u128>, times: u64, thread: usize) -> Option<Advanced> {
        if self.round.progress.over().is_some() {
            return Some(Advanced::Interrupted);
        }
        let hash = self.machine.state_hash();
        if *seen == Some(hash) {
            return Some(Advanced::Endless(ThreadId(thread as u16)));
        }
        if times.is_power_of_two() {
            *seen = Some(hash);
        }
        None
    }

    /// Takes note that what a thread does from where it is on may meet anything.
    pub(crate) fn note_anything(&mut self, ghost: &Ghost, thread: usize) {
        if !self.round.summaries.meets_everything(ghost.nodes[thread]) {
            let anything = Footprint { everything: true, ..Footprint::default() };
            self.learned.at(ghost.keys[thread], &anything);
            self.note(true);
        }
    }
}
