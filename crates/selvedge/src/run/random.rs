//! Random schedules: another one for each seed, and the same for the same seed.
//!
//! Everything here must choose the same for ever: a change changes what every recorded seed means.

use super::scheduler::{Scheduler, pending};
use selvedge_machine::{Machine, Pick, TIMEOUT};
use selvedge_trace::{EventKind, ThreadId};

/// How threads are chosen. Bugs hide in different places: some need threads in lockstep, some need one thread to
/// stand still for long at the right place, so each seed has a habit of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Habit {
    /// Each thread is equally likely at every step.
    Uniform,
    /// A thread goes on, on the average for so many steps, before another one is drawn.
    Bursts(u64),
    /// Threads have random ranks, and the highest one that can goes on. Every so many steps, on the average, it
    /// falls below all others.
    Ranks(u64),
}

/// A random schedule.
pub struct Random {
    numbers: Numbers,
    habit: Habit,
    current: Option<ThreadId>,
    /// Ranks of the threads by index.
    ranks: Vec<i64>,
    lowest: i64,
}

/// One in so many times, an outcome that need not happen does: a weak compare-exchange fails for no reason.
const RARITY: u64 = 16;
/// One in so many times, a wait times out although something else could happen.
const TIMEOUT_RARITY: u64 = 32;
/// One in so many times, a buffered store becomes visible although threads could go on.
const COMMIT_RARITY: u64 = 4;

impl Random {
    /// The schedule with this number.
    pub fn new(seed: u64) -> Self {
        let mut numbers = Numbers { state: seed };
        let habit = match numbers.below(4) {
            0 => Habit::Uniform,
            1 => Habit::Bursts(2 << numbers.below(8)),
            _ => Habit::Ranks(8 << numbers.below(8)),
        };
        Random { numbers, habit, current: None, ranks: Vec::new(), lowest: 0 }
    }

    /// One of the threads that can take an ordinary step.
    fn thread(&mut self, picks: &[Pick]) -> Option<ThreadId> {
        let able = || picks.iter().filter_map(|pick| ordinary(*pick));
        let count = able().count() as u64;
        if count <= 1 {
            return able().next();
        }
        match self.habit {
            Habit::Uniform => {
                let index = self.numbers.below(count) as usize;
                able().nth(index)
            }
            Habit::Bursts(length) => {
                let current = self.current.filter(|current| able().any(|thread| thread == *current));
                if current.is_some() && self.numbers.below(length) != 0 {
                    return current;
                }
                let index = self.numbers.below(count) as usize;
                able().nth(index)
            }
            Habit::Ranks(length) => {
                if self.numbers.below(length) == 0
                    && let Some(highest) = self.highest(able())
                {
                    self.lowest -= 1;
                    self.ranks[highest.index()] = self.lowest;
                }
                self.highest(able())
            }
        }
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
            if picks.iter().any(|pick| commit(&pick)) && (!able || self.numbers.below(COMMIT_RARITY) == 0) {
                return self.one_of(picks, commit);
            }
            let timeout = |pick: &&Pick| matches!(pick, Pick::Step { alternative: TIMEOUT, .. });
            if picks.iter().any(|pick| timeout(&pick)) && (!able || self.numbers.below(TIMEOUT_RARITY) == 0) {
                return self.one_of(picks, timeout);
            }
        }
        let Some(thread) = self.thread(picks) else { return picks.first().copied() };
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
            [Ranks(64), Ranks(256), Ranks(256), Uniform, Bursts(256), Bursts(128), Ranks(64), Bursts(2)]
        );
    }

    #[test]
    fn every_habit_chooses_every_thread() {
        let picks = [0, 1, 2].map(|index| Pick::Step { thread: ThreadId(index), alternative: 0 });
        for seed in 0..16 {
            let mut random = Random::new(seed);
            let chosen: Vec<_> = (0..100_000).filter_map(|_| random.thread(&picks)).collect();
            assert_eq!(chosen.len(), 100_000);
            for index in 0..3 {
                assert!(chosen.contains(&ThreadId(index)), "seed {seed} never chooses thread {index}");
            }
        }
    }
}
