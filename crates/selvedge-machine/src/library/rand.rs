//! `rand` and `random`: glibc's additive feedback generator (its default, of 31 words). One call is one step that no other
//! thread's races with, since the C library takes a lock; so nothing of it waits in a store buffer.

use super::globals::handout;
use crate::halt::Halt;
use crate::machine::Machine;
use crate::memory::Pointer;
use crate::native::{Context, Flow, Native, Visibility};
use crate::traits::Reach;
use crate::traits::Trait::{Atomic, Drains};
use selvedge_trace::{EventKind, Operation};

const VISIBLE: Visibility = Visibility::Always { operation, alternatives: |_| 1 };

const fn generator(name: &'static str, run: fn(&mut Context<'_>) -> Result<Flow, Halt>) -> Native {
    Native::visible(name, VISIBLE, Reach::Arguments(&[]), run).with(&[Atomic, Drains])
}

pub static NATIVES: &[Native] = &[
    generator("rand", random),
    generator("random", random),
    generator("srand", srandom),
    generator("srandom", srandom),
];

/// The functions that need the generator's state.
pub const USERS: &[&str] = &["rand", "random", "srand", "srandom"];

/// Bytes of the generator's state.
pub const STATE: u8 = 4 * (WORDS as u8 + 1);
const WORDS: usize = 31;
const SEPARATION: usize = 3;

/// The generator: its words and the index of the next one.
struct State([u32; WORDS + 1]);

impl State {
    fn seeded(seed: u32) -> Self {
        let mut state = State([0; WORDS + 1]);
        state.0[0] = seed.max(1);
        for i in 1..WORDS {
            // In the C library the words are signed: the product of a negative one is reduced to a positive one.
            let previous = i64::from(state.0[i - 1] as i32);
            state.0[i] = (16807 * previous).rem_euclid(2_147_483_647) as u32;
        }
        for _ in 0..10 * WORDS {
            state.next();
        }
        state
    }

    fn next(&mut self) -> u32 {
        let rear = self.0[WORDS] as usize;
        let front = (rear + SEPARATION) % WORDS;
        self.0[front] = self.0[front].wrapping_add(self.0[rear]);
        self.0[WORDS] = ((rear + 1) % WORDS) as u32;
        self.0[front] >> 1
    }

    fn bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|word| word.to_le_bytes()).collect()
    }
}

/// The state as it is before `srand`.
pub fn make_state(machine: &mut Machine) -> Result<Pointer, Halt> {
    machine.library_bytes(0, &State::seeded(1).bytes())
}

fn operation(context: &mut Context<'_>) -> Result<Operation, Halt> {
    Ok(Operation::sync(EventKind::Random, handout(context, "rand")?.address))
}

fn random(context: &mut Context<'_>) -> Result<Flow, Halt> {
    context.drain();
    let at = handout(context, "rand")?;
    let bytes = context.read(at, u64::from(STATE))?;
    let mut state = State([0; WORDS + 1]);
    for (word, bytes) in state.0.iter_mut().zip(bytes.chunks_exact(4)) {
        *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    }
    let value = state.next();
    context.write(at, &state.bytes())?;
    context.drain();
    context.event(EventKind::Random, at.address, &value.to_le_bytes(), &[]);
    context.return_int(u64::from(value))
}

fn srandom(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (at, seed) = (handout(context, "rand")?, context.int(0)? as u32);
    context.drain();
    context.write(at, &State::seeded(seed).bytes())?;
    context.drain();
    context.event(EventKind::Random, at.address, &[], &seed.to_le_bytes());
    Ok(Flow::Return)
}

#[cfg(test)]
mod tests {
    use super::State;

    unsafe extern "C" {
        fn srandom(seed: u32);
        fn random() -> i64;
    }

    #[test]
    fn numbers_are_those_of_the_c_library() {
        for seed in [0, 1, 42, 0xffff_ffff, 0x8000_0000, 2_147_483_647] {
            let mut state = State::seeded(seed);
            // SAFETY: no other test uses the C library's generator.
            let theirs: Vec<i64> = unsafe {
                srandom(seed);
                (0..200).map(|_| random()).collect()
            };
            let ours: Vec<i64> = (0..200).map(|_| i64::from(state.next())).collect();
            assert_eq!(ours, theirs, "seed {seed}");
        }
    }
}
