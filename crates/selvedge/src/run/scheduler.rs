//! Schedulers: who chooses what happens next.

use selvedge_machine::{Machine, Pick, Status, TIMEOUT};
use selvedge_trace::{EventKind, ThreadId};

/// Chooses what happens next.
pub trait Scheduler {
    /// One of `picks`, which are not empty; `None` when what was to be chosen is not among them.
    fn choose(&mut self, machine: &Machine, picks: &[Pick]) -> Option<Pick>;

    /// Whether it was given choices to follow and has followed all of them.
    fn is_complete(&self) -> bool {
        false
    }
}

/// Keeps running the same thread while it can go on, then the first other one. Time passes, and stores leave the
/// store buffers, only when nothing else can happen.
#[derive(Default)]
pub struct InOrder {
    current: Option<ThreadId>,
    steps: u32,
}

/// A thread that has had that many steps in a row gives way: it may be waiting, in a loop, for another one.
const PATIENCE: u32 = 10_000;

impl Scheduler for InOrder {
    fn choose(&mut self, machine: &Machine, picks: &[Pick]) -> Option<Pick> {
        let ordinary = |pick: &&Pick| matches!(pick, Pick::Step { alternative: 0, .. });
        let runnable = picks.iter().filter(ordinary).map(|pick| pick_thread(*pick));
        let current = self.current.filter(|current| runnable.clone().any(|thread| thread == *current));
        let chosen = match current {
            Some(current) if self.steps >= PATIENCE || gives_way(machine, current) => {
                let later = runnable.clone().find(|thread| *thread > current);
                later.or_else(|| runnable.clone().next())
            }
            Some(current) => Some(current),
            None => runnable.clone().next(),
        };
        if let Some(thread) = chosen {
            self.steps =
                if self.current == Some(thread) && self.steps < PATIENCE { self.steps + 1 } else { 0 };
            self.current = Some(thread);
            return Some(Pick::Step { thread, alternative: 0 });
        }
        let commit = picks.iter().find(|pick| matches!(pick, Pick::Commit { .. }));
        let untimed = |pick: &&Pick| !matches!(pick, Pick::Step { alternative: TIMEOUT, .. });
        commit.or_else(|| picks.iter().find(untimed)).or_else(|| picks.first()).copied()
    }
}

fn pick_thread(pick: Pick) -> ThreadId {
    match pick {
        Pick::Step { thread, .. } | Pick::Commit { thread, .. } => thread,
    }
}

fn pending(machine: &Machine, thread: ThreadId) -> Option<EventKind> {
    match machine.threads().get(thread.index())?.status {
        Status::Ready(operation) => Some(operation.kind),
        _ => None,
    }
}

/// Whether the thread says by itself that others should run first.
fn gives_way(machine: &Machine, thread: ThreadId) -> bool {
    matches!(pending(machine, thread), Some(EventKind::Yield | EventKind::Sleep))
}

/// A random schedule for each seed. Rare outcomes (a wait times out although it need not, a weak compare-exchange fails
/// for no reason) are rare here too. Bugs differ in the schedules that show them, so seeds take turns among three
/// manners.
///
/// The same seed must choose the same for ever: changing this changes what every recorded seed means.
pub struct Random {
    state: u64,
    manner: Manner,
}

/// How a random schedule treats the thread that is running.
enum Manner {
    /// Every thread that can step is equally likely at every step: fine-grained races.
    Even,
    /// Stays with a thread for some steps: deep inside a library 1 in `stay` steps looks around.
    Sticky { stay: u64, current: Option<ThreadId> },
    /// Each thread has a random priority, and the highest runs; now and then the running thread falls behind all
    /// others. Shows what needs one thread to be much slower than another.
    Priorities { of: Vec<u64>, lowest: u64 },
}

/// How much less likely than ordinary outcomes rare ones are.
const RARITY: u64 = 16;
/// A thread with priority falls behind once in so many steps deep inside a library ...
const DEMOTION: u64 = 256;
/// ... and once in so many in the user's own code, which is where a switch is most likely to matter.
const NEAR: u64 = 6;

impl Random {
    /// The schedule with this number.
    pub fn new(seed: u64) -> Self {
        let mut random = Random { state: seed, manner: Manner::Even };
        random.manner = match seed % 3 {
            0 => Manner::Even,
            1 => Manner::Sticky { stay: 2 << random.below(7), current: None },
            _ => Manner::Priorities { of: Vec::new(), lowest: u64::MAX / 2 },
        };
        random
    }

    fn falls_behind(&mut self, machine: &Machine, thread: ThreadId) -> bool {
        self.below(if machine.near_user_code(thread.index()) { NEAR } else { DEMOTION }) == 0
    }

    /// The thread that this schedule's manner prefers, of those that can step.
    fn preferred(&mut self, machine: &Machine, picks: &[Pick]) -> Option<ThreadId> {
        let mut manner = std::mem::replace(&mut self.manner, Manner::Even);
        let can_step = |thread: ThreadId| {
            picks.iter().any(|pick| matches!(pick, Pick::Step { thread: of, alternative } if *of == thread && *alternative != TIMEOUT))
        };
        let thread = match &mut manner {
            Manner::Even => None,
            Manner::Sticky { stay, current } => {
                let near = current.is_some_and(|thread| machine.near_user_code(thread.index()));
                let around = self.below(if near { NEAR } else { *stay }) == 0;
                let stays =
                    current.filter(|&thread| !around && can_step(thread) && !gives_way(machine, thread));
                if stays.is_none() {
                    *current =
                        picks.get(self.below(picks.len() as u64) as usize).map(|&pick| pick_thread(pick));
                }
                stays.or(*current)
            }
            Manner::Priorities { of, lowest } => {
                while of.len() < machine.threads().len() {
                    of.push(u64::MAX / 2 + self.next() / 2);
                }
                let highest = (0..of.len()).filter(|&i| can_step(ThreadId(i as u16))).max_by_key(|&i| of[i]);
                let highest = highest.map(|i| ThreadId(i as u16));
                if let Some(thread) = highest
                    && (self.falls_behind(machine, thread) || gives_way(machine, thread))
                {
                    *lowest -= 1;
                    of[thread.index()] = *lowest;
                }
                highest
            }
        };
        self.manner = manner;
        thread
    }

    /// The next number of SplitMix64.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`.
    fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }
}

impl Scheduler for Random {
    fn choose(&mut self, machine: &Machine, all: &[Pick]) -> Option<Pick> {
        let preferred = self.preferred(machine, all);
        let own: Vec<Pick> = match preferred {
            // Time passes, and stores leave buffers, whoever is preferred.
            Some(thread)
                if self.below(RARITY) != 0
                    || all.iter().all(|pick| matches!(pick, Pick::Step { alternative: 0, .. })) =>
            {
                all.iter().copied().filter(|pick| pick_thread(*pick) == thread).collect()
            }
            _ => Vec::new(),
        };
        let picks = if own.is_empty() { all } else { &own };
        // Most steps have nothing but ordinary outcomes: no table of weights for them.
        let ordinary = |pick: &Pick| matches!(pick, Pick::Step { alternative: 0, .. });
        if picks.iter().all(ordinary) {
            let at = if picks.len() == 1 { 0 } else { self.below(picks.len() as u64) };
            return picks.get(at as usize).copied();
        }
        let weights: Vec<u64> = picks.iter().map(|pick| weight(machine, picks, *pick)).collect();
        let mut at = self.below(weights.iter().sum());
        for (pick, weight) in picks.iter().zip(weights) {
            match at.checked_sub(weight) {
                None => return Some(*pick),
                Some(rest) => at = rest,
            }
        }
        None
    }
}

/// How likely a pick is. Each thread that can step has the same share, which the outcomes of its step divide.
fn weight(machine: &Machine, picks: &[Pick], pick: Pick) -> u64 {
    const SHARE: u64 = 1 << 20;
    match pick {
        Pick::Step { alternative: TIMEOUT, .. } => SHARE / RARITY,
        Pick::Step { thread, alternative } => {
            let same = |other: &&Pick| {
                matches!(other, Pick::Step { thread: of, alternative } if *of == thread && *alternative != TIMEOUT)
            };
            let outcomes = picks.iter().filter(same).count() as u64;
            let equal = matches!(pending(machine, thread), Some(EventKind::CondSignal | EventKind::FutexWake));
            match (equal, alternative) {
                (true, _) => SHARE / outcomes,
                (false, 0) => SHARE - (SHARE / RARITY) * u64::from(outcomes > 1),
                (false, _) => SHARE / RARITY / (outcomes - 1).max(1),
            }
        }
        Pick::Commit { thread, .. } => {
            let same = |other: &&Pick| matches!(other, Pick::Commit { thread: of, .. } if *of == thread);
            SHARE / picks.iter().filter(same).count() as u64
        }
    }
    .max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_mean_the_same_for_ever() {
        let mut random = Random { state: 1, manner: Manner::Even };
        let numbers: Vec<u64> = (0..4).map(|_| random.next()).collect();
        assert_eq!(
            numbers,
            [0x910a_2dec_8902_5cc1, 0xbeeb_8da1_658e_ec67, 0xf893_a2ee_fb32_555e, 0x71c1_8690_ee42_c90b]
        );
        let mut random = Random { state: 7, manner: Manner::Even };
        let numbers: Vec<u64> = (0..8).map(|_| random.below(3)).collect();
        assert_eq!(numbers, [1, 0, 2, 1, 1, 2, 2, 0]);
    }
}
