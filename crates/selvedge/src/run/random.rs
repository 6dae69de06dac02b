//! Random schedules: another one for each seed, and the same for the same seed.
//!
//! Everything here must choose the same for ever: a change changes what every recorded seed means.

use super::scheduler::{Scheduler, pending};
use selvedge_machine::{Machine, Pick, TIMEOUT};
use selvedge_trace::{EventKind, ThreadId};

/// How threads are chosen. Bugs hide in different places: some need threads in lockstep, some need one thread to
/// stand still for long at the right place, so each seed has a habit of its own. Libraries take many steps for what
/// is one to the user, and their authors were careful: threads are interrupted in the user's own code for the most
/// part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Habit {
    /// Each thread is equally likely at every step.
    Uniform,
    /// A thread goes on until another one is drawn: one in so many times in the user's own code, more rarely in
    /// libraries.
    Bursts(u64),
    /// Threads have random ranks, and the highest one that can goes on. One in so many times in the user's own code,
    /// more rarely in libraries, it falls below all others.
    Ranks(u64),
}

/// How much more rarely threads are interrupted in libraries.
const LIBRARY_RARITY: u64 = 32;

/// A random schedule.
pub struct Random {
    numbers: Numbers,
    habit: Habit,
    current: Option<ThreadId>,
    /// Ranks of the threads by index.
    ranks: Vec<i64>,
    lowest: i64,
    /// One in so many times, a buffered store becomes visible although threads could go on.
    commit_rarity: u64,
    /// Where in the user's own code the threads were last, by index.
    positions: Vec<u32>,
}

/// One in so many times, an outcome that need not happen does: a weak compare-exchange fails for no reason.
const RARITY: u64 = 16;
/// One in so many times, a wait times out although something else could happen.
const TIMEOUT_RARITY: u64 = 32;
impl Random {
    /// The schedule with this number.
    pub fn new(seed: u64) -> Self {
        let mut numbers = Numbers { state: seed };
        let habit = match numbers.below(8) {
            0 => Habit::Uniform,
            1..=3 => Habit::Bursts(1 << numbers.below(3)),
            _ => Habit::Ranks(1 << numbers.below(4)),
        };
        // Drawn apart, so that seeds mean the same whether stores are buffered or not.
        let commit_rarity = 2 << Numbers { state: !seed }.below(4);
        Random {
            numbers,
            habit,
            current: None,
            ranks: Vec::new(),
            lowest: 0,
            commit_rarity,
            positions: Vec::new(),
        }
    }

    /// One of the threads that can take an ordinary step.
    fn thread(&mut self, machine: &Machine, picks: &[Pick]) -> Option<ThreadId> {
        let able = || picks.iter().filter_map(|pick| ordinary(*pick));
        let count = able().count() as u64;
        if count <= 1 {
            return able().next();
        }
        let (current, length) = match self.habit {
            Habit::Uniform => (None, 1),
            Habit::Bursts(length) => {
                (self.current.filter(|current| able().any(|thread| thread == *current)), length)
            }
            Habit::Ranks(length) => (self.highest(able()), length),
        };
        let Some(current) = current else {
            let index = self.numbers.below(count) as usize;
            return able().nth(index);
        };
        let rarity = if self.is_of_interest(machine, current) { length } else { length * LIBRARY_RARITY };
        if self.numbers.below(rarity) != 0 {
            return Some(current);
        }
        if let Habit::Ranks(_) = self.habit {
            self.lowest -= 1;
            self.ranks[current.index()] = self.lowest;
            return self.highest(able());
        }
        let index = self.numbers.below(count) as usize;
        able().nth(index)
    }

    /// Whether what a thread is about to do is the user's own doing: in the user's own code or in something that it
    /// calls almost directly, such as the methods of atomics, or the beginning of a longer call.
    fn is_of_interest(&mut self, machine: &Machine, thread: ThreadId) -> bool {
        const CLOSE: usize = 3;
        let Some((position, calls)) = machine.inspect().user_code(thread.index()) else { return false };
        if self.positions.len() <= thread.index() {
            self.positions.resize(thread.index() + 1, 0);
        }
        let last = std::mem::replace(&mut self.positions[thread.index()], position);
        calls <= CLOSE || last != position
    }

    fn highest(&mut self, threads: impl Iterator<Item = ThreadId>) -> Option<ThreadId> {
        let mut best: Option<ThreadId> = None;
        for thread in threads {
            while self.ranks.len() <= thread.index() {
                let rank = (self.numbers.next() >> 2) as i64;
                self.ranks.push(rank);
            }
            if best.is_none_or(|best| self.ranks[thread.index()] > self.ranks[best.index()]) {
                best = Some(thread);
            }
        }
        best
    }

    /// One of the picks that satisfy `wanted`.
    fn one_of(&mut self, picks: &[Pick], wanted: impl Fn(&&Pick) -> bool) -> Option<Pick> {
        match picks.iter().filter(&wanted).count() {
            0 => None,
            count => {
                let index = self.numbers.below(count as u64) as usize;
                picks.iter().filter(wanted).nth(index).copied()
            }
        }
    }
}

/// The thread of a step with its ordinary outcome.
fn ordinary(pick: Pick) -> Option<ThreadId> {
    match pick {
        Pick::Step { thread, alternative: 0 } => Some(thread),
        _ => None,
    }
}

impl Scheduler for Random {
    fn choose(&mut self, machine: &Machine, picks: &[Pick]) -> Option<Pick> {
        let able = picks.iter().any(|pick| ordinary(*pick).is_some());
        if picks.iter().any(|pick| ordinary(*pick).is_none()) {
            let commit = |pick: &&Pick| matches!(pick, Pick::Commit { .. });
            if picks.iter().any(|pick| commit(&pick))
                && (!able || self.numbers.below(self.commit_rarity) == 0)
            {
                return self.one_of(picks, commit);
            }
            let timeout = |pick: &&Pick| matches!(pick, Pick::Step { alternative: TIMEOUT, .. });
            if picks.iter().any(|pick| timeout(&pick)) && (!able || self.numbers.below(TIMEOUT_RARITY) == 0) {
                return self.one_of(picks, timeout);
            }
        }
        let Some(thread) = self.thread(machine, picks) else { return picks.first().copied() };
        self.current = Some(thread);
        let outcome = |pick: &&Pick| matches!(pick, Pick::Step { thread: of, alternative } if *of == thread && *alternative != TIMEOUT);
        let outcomes = picks.iter().filter(outcome).count() as u64;
        let mut alternative = 0;
        if outcomes > 1 {
            // Which waiter is woken has no ordinary outcome; everything else does.
            let equal =
                matches!(pending(machine, thread), Some(EventKind::CondSignal | EventKind::FutexWake));
            if equal {
                alternative = self.numbers.below(outcomes) as u32;
            } else if self.numbers.below(RARITY) == 0 {
                alternative = 1 + self.numbers.below(outcomes - 1) as u32;
            }
        }
        Some(Pick::Step { thread, alternative })
    }
}

/// SplitMix64.
struct Numbers {
    state: u64,
}

impl Numbers {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_mean_the_same_for_ever() {
        let mut numbers = Numbers { state: 1 };
        let first: Vec<u64> = (0..4).map(|_| numbers.next()).collect();
        assert_eq!(
            first,
            [0x910a_2dec_8902_5cc1, 0xbeeb_8da1_658e_ec67, 0xf893_a2ee_fb32_555e, 0x71c1_8690_ee42_c90b]
        );
        let habits: Vec<Habit> = (0..8).map(|seed| Random::new(seed).habit).collect();
        use Habit::{Bursts, Ranks, Uniform};
        assert_eq!(
            habits,
            [Ranks(2), Ranks(4), Ranks(4), Uniform, Bursts(4), Bursts(4), Ranks(2), Bursts(1)]
        );
    }
}
