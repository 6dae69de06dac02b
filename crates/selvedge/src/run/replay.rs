//! Replaying a recorded schedule: exactly the same choices again, or an error that says why not.

use super::scheduler::{InOrder, Phase, Scheduler};
use selvedge_machine::{Machine, Pick, SPURIOUS, TIMEOUT, is_spurious};
use selvedge_trace::{Choice, Choices, Claim, Schedule, ThreadId, ThreadName};

/// A replay is not what was recorded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Divergence {
    #[error(
        "this schedule was recorded with another program or another version of it (`{recorded}`, fingerprint \
         {recorded_fingerprint:016x}; this one has {fingerprint:016x}). Compile the program as it was then, with the \
         same flags, or record the schedule again"
    )]
    OtherProgram { recorded: String, recorded_fingerprint: u64, fingerprint: u64 },
    #[error(
        "step {step} of the schedule cannot be taken: {why}. The schedule belongs to another program or version: \
         record it again"
    )]
    Impossible { step: u64, why: String },
    #[error(
        "the program ended after {done} of the schedule's {all} steps. The schedule belongs to another program or \
         version: record it again"
    )]
    TooShort { done: u64, all: u64 },
    #[error(
        "the replay took every step of the schedule and still did other things than the recorded run. The schedule \
         belongs to another program or version: record it again"
    )]
    OtherEvents,
    #[error(
        "the replay took every step of the schedule, and what the file says about its end is not there: {0}. The \
         schedule belongs to another program or version: record it again"
    )]
    NotShown(&'static str),
}

/// Follows a schedule; after its last choice the default policy goes on, unless the schedule says what is to be seen
/// there.
pub struct Replay {
    schedule: Schedule,
    /// Nothing follows the choices.
    exactly: bool,
    /// The choices are done: those of the cycle that the schedule claims are being followed.
    circling: bool,
    /// The run of equal choices that is being followed, and how many of it are done.
    run: usize,
    done_of_run: u64,
    done: u64,
    round: Round,
    /// The thread of the current run, once it has been looked up.
    thread: Option<ThreadId>,
    after: InOrder,
    divergence: Option<Divergence>,
}

impl Replay {
    /// Checks that the schedule belongs to the program with this fingerprint. `exactly`: nothing follows the choices.
    pub fn new(schedule: Schedule, fingerprint: u64, exactly: bool) -> Result<Self, Divergence> {
        if schedule.fingerprint != fingerprint {
            return Err(Divergence::OtherProgram {
                recorded: schedule.program,
                recorded_fingerprint: schedule.fingerprint,
                fingerprint,
            });
        }
        let mut replay = Replay {
            schedule,
            exactly,
            circling: false,
            run: 0,
            done_of_run: 0,
            done: 0,
            round: Round::default(),
            thread: None,
            after: InOrder::default(),
            divergence: None,
        };
        replay.enter_circle();
        Ok(replay)
    }

    /// Every thread that could act throughout the claimed cycle has acted in it.
    pub fn is_fair(&self) -> bool {
        self.round.always.iter().all(|actor| self.round.acted.contains(actor))
    }

    /// What is being followed.
    fn choices(&self) -> &Choices {
        match &self.schedule.claim {
            Some(Claim::Termination { cycle, .. }) if self.circling => cycle,
            _ => &self.schedule.choices,
        }
    }

    /// Goes over from the choices to the cycle that the schedule claims, if it is time.
    fn enter_circle(&mut self) {
        let claims =
            matches!(&self.schedule.claim, Some(Claim::Termination { cycle, .. }) if !cycle.is_empty());
        if claims && !self.circling && self.run == self.schedule.choices.runs().len() {
            (self.circling, self.run) = (true, 0);
        }
    }

    /// How the replay differed from the record, as far as it has come. `digest` is that of the moment at which the
    /// last choice had been followed, if it was.
    pub fn divergence(&self, digest: Option<u64>) -> Option<Divergence> {
        if let Some(divergence) = &self.divergence {
            return Some(divergence.clone());
        }
        match digest {
            None => Some(Divergence::TooShort { done: self.done, all: self.schedule.choices.len() }),
            Some(digest) if digest != self.schedule.digest => Some(Divergence::OtherEvents),
            Some(_) => None,
        }
    }

    fn impossible(&mut self, why: String) -> Option<Pick> {
        self.divergence = Some(Divergence::Impossible { step: self.done + 1, why });
        None
    }

    fn find(&mut self, machine: &Machine, name: &ThreadName) -> Option<ThreadId> {
        if self.thread.is_none() {
            self.thread =
                machine.threads().iter().find(|thread| thread.name == *name).map(|thread| thread.id);
        }
        self.thread
    }
}

impl Scheduler for Replay {
    fn choose(&mut self, machine: &Machine, picks: &[Pick]) -> Option<Pick> {
        let Some((choice, count)) = self.choices().runs().get(self.run).cloned() else {
            return self.after.choose(machine, picks);
        };
        let name = match &choice {
            Choice::Step { thread, .. } | Choice::Commit { thread, .. } => thread.clone(),
        };
        let Some(thread) = self.find(machine, &name) else {
            return self.impossible(format!("there is no thread {name}"));
        };
        let pick = match choice {
            Choice::Step { alternative, .. } => Pick::Step { thread, alternative },
            Choice::Commit { address, .. } => Pick::Commit { thread, address },
        };
        if !picks.contains(&pick) {
            return self.impossible(match pick {
                Pick::Step { alternative: 0, .. } => format!("thread {name} cannot go on there"),
                Pick::Step { alternative: TIMEOUT, .. } => {
                    format!("thread {name} is not in a wait that can time out")
                }
                Pick::Step { alternative: SPURIOUS, .. } => {
                    format!("thread {name} is not in a wait that can return for no reason")
                }
                Pick::Step { alternative, .. } => {
                    format!("what thread {name} does there has no outcome {alternative}")
                }
                Pick::Commit { address, .. } => {
                    format!("thread {name} has no buffered store to {address:#x}")
                }
            });
        }
        if self.circling {
            self.round.note(pick, picks);
        }
        self.done += 1;
        self.done_of_run += 1;
        if self.done_of_run == count {
            (self.run, self.done_of_run, self.thread) = (self.run + 1, 0, None);
            self.enter_circle();
        }
        Some(pick)
    }

    fn phase(&self) -> Phase {
        let more = self.run < self.choices().runs().len();
        match &self.schedule.claim {
            Some(_) if more && self.circling => Phase::Showing,
            _ if more => Phase::Following,
            None if self.exactly => Phase::Over,
            None => Phase::Free,
            Some(Claim::Termination { cycle, .. }) if cycle.is_empty() => Phase::Endless,
            Some(_) => Phase::Over,
        }
    }
}

/// Which threads act in a cycle, and which could have.
#[derive(Default)]
struct Round {
    begun: bool,
    /// Threads that can step, and store buffers (`true`) that can be emptied, in every state of the cycle.
    always: Vec<(ThreadId, bool)>,
    acted: Vec<(ThreadId, bool)>,
}

impl Round {
    fn note(&mut self, pick: Pick, picks: &[Pick]) {
        let actor = |pick: &Pick| match *pick {
            Pick::Step { thread, .. } => (thread, false),
            Pick::Commit { thread, .. } => (thread, true),
        };
        let owed = picks.iter().filter(|pick| !is_spurious(**pick));
        let able: Vec<_> = owed.map(actor).collect();
        match std::mem::replace(&mut self.begun, true) {
            true => self.always.retain(|actor| able.contains(actor)),
            false => self.always = able,
        }
        if !self.acted.contains(&actor(&pick)) {
            self.acted.push(actor(&pick));
        }
    }
}
