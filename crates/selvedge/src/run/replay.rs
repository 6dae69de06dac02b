//! Replaying a recorded schedule: exactly the same choices again, or an error that says why not.

use super::notes::{Renaming, note};
use super::places::Places;
use super::scheduler::{InOrder, Phase, Scheduler, pick_thread};
use selvedge_machine::{Machine, Pick, SPURIOUS, TIMEOUT, is_spurious};
use selvedge_program::shapes::shortened;
use selvedge_trace::{Choice, Choices, Claim, EventKind, Schedule, StepNote, ThreadId, ThreadName};

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
        "it was recorded with another version of `{program}`, and here the two part: step {step} of the schedule is {thread}, \
         which {expected}; now it {found}. Record it again: selvedge check"
    )]
    Parted { program: String, step: u64, thread: String, expected: String, found: String },
    #[error(
        "the program was changed since, and every step of the schedule still fits. But what the file says about its end is \
         not there: {0}. The change may have repaired it: selvedge check looks at all schedules"
    )]
    Repaired(&'static str),
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
    /// The program has changed since the schedule was recorded: what each step does is compared.
    changed: Option<Renaming>,
}

impl Replay {
    /// Checks that the schedule belongs to the program with this fingerprint, or can be compared with it step by step.
    /// `exactly`: nothing follows the choices.
    pub fn new(
        schedule: Schedule,
        (name, fingerprint): (&str, u64),
        exactly: bool,
    ) -> Result<Self, Divergence> {
        let same = schedule.fingerprint == fingerprint;
        let comparable = schedule.steps.len() as u64 == schedule.choices.len() && schedule.program == name;
        if !same && (exactly || !comparable) {
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
            changed: (!same).then(Renaming::default),
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
            // Addresses are part of the digest, and may be other ones in a program that has changed.
            Some(digest) if digest != self.schedule.digest && self.changed.is_none() => {
                Some(Divergence::OtherEvents)
            }
            Some(_) => None,
        }
    }

    /// Whether the program is not quite the one that the schedule was recorded with.
    pub fn is_of_changed_program(&self) -> bool {
        self.changed.is_some()
    }

    /// What to pick for the next choice in a program that has changed: the choice, if what it does is what was noted.
    /// What the program writes has no part in how threads meet, so writes may have come and gone.
    fn compared(&mut self, machine: &Machine, picks: &[Pick], pick: Pick) -> Result<Compared, Divergence> {
        let Some(names) = self.changed.as_mut().filter(|_| !self.circling) else {
            return Ok(Compared::Follow(pick));
        };
        let places = Places::new(machine.inspect().program());
        let noted = &self.schedule.steps[self.done as usize];
        let globals = &machine.inspect().program().globals;
        let exists = |name: &str| globals.iter().any(|global| shortened(&global.display) == name);
        let same_store = |other: &&Pick| match (**other, pick) {
            (Pick::Commit { thread, .. }, Pick::Commit { thread: own, .. }) => {
                thread == own && note(machine, &places, **other).object == noted.object
            }
            _ => false,
        };
        // Stores are known by their addresses, which may have changed.
        let pick = picks.iter().find(same_store).copied().unwrap_or(pick);
        let now = note(machine, &places, pick);
        if names.agrees(noted, &now, &exists) {
            return Ok(Compared::Follow(pick));
        }
        match (noted.kind, now.kind) {
            (_, EventKind::Output) => Ok(Compared::Extra(pick)),
            (EventKind::Output, _) => Ok(Compared::Missing),
            _ => Err(Divergence::Parted {
                program: self.schedule.program.clone(),
                step: self.done + 1,
                thread: machine.threads()[pick_thread(pick).index()].name.to_string(),
                expected: format!("was to {}", in_words(noted)),
                found: format!("is to {}", in_words(&now)),
            }),
        }
    }

    /// The next choice has been made.
    fn made(&mut self, count: u64) {
        self.done += 1;
        self.done_of_run += 1;
        if self.done_of_run == count {
            (self.run, self.done_of_run, self.thread) = (self.run + 1, 0, None);
            self.enter_circle();
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
        let pick = match self.compared(machine, picks, pick) {
            Ok(Compared::Follow(pick)) => pick,
            Ok(Compared::Extra(pick)) if picks.contains(&pick) => return Some(pick),
            Ok(Compared::Extra(pick)) => pick,
            Ok(Compared::Missing) => {
                self.made(count);
                return self.choose(machine, picks);
            }
            Err(divergence) => {
                self.divergence = Some(divergence);
                return None;
            }
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
        self.made(count);
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

/// What a choice of the schedule is in a program that has changed.
enum Compared {
    Follow(Pick),
    /// A step that was not there before, and makes no difference.
    Extra(Pick),
    /// A step that is not there any more, and made no difference.
    Missing,
}

/// What a step does, as in "lock `checking.lock` in transfer at bank.c:20".
fn in_words(note: &StepNote) -> String {
    use EventKind::*;
    let verb = match note.kind {
        Read => "read",
        Write => "write",
        ReadModifyWrite => "change",
        CompareExchange | CompareExchangeFailed => "compare and exchange",
        Fence => "perform a fence",
        Commit => "make its store visible to",
        LibraryCall => "call a library function on",
        ThreadCreate => "create a thread",
        ThreadJoin => "join a thread",
        ThreadDetach => "detach a thread",
        ThreadExit => "end",
        Yield => "go on",
        Sleep => "sleep",
        MutexLock | ReadLock | WriteLock | SpinLock | FutexLock => "lock",
        MutexTryLock | TryReadLock | TryWriteLock | SpinTryLock => "try to lock",
        MutexUnlock | RwUnlock | SpinUnlock => "unlock",
        FutexPark => "park at",
        SyncInit => "initialise",
        SyncDestroy => "destroy",
        CondWait => "wait for",
        CondSignal => "signal",
        CondBroadcast => "wake all that wait for",
        BarrierWait => "wait at barrier",
        SemWait => "wait for semaphore",
        SemTryWait => "try semaphore",
        SemPost => "post semaphore",
        OnceEnter => "enter",
        OnceDone => "leave",
        FutexWait => "wait at futex",
        FutexWake => "wake futex",
        Output => "write output",
        Input => "read input",
        Clock => "look at the clock",
        Random => "draw a random number",
        Choose => "ask for a value",
        Exit => "end the program",
    };
    let object = if note.object.is_empty() { String::new() } else { format!(" `{}`", note.object) };
    let at = match note.at.rsplit_once(' ') {
        Some((function, line)) => format!(" in {function} at {line}"),
        None => String::new(),
    };
    format!("{verb}{object}{at}")
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
