//! Randomness of the system. Every thread draws from a stream of its own, which the execution's seed and the thread's name
//! determine: what a thread is given does not depend on what others draw.

use crate::halt::Halt;
use crate::memory::Pointer;
use crate::native::{Context, Flow, Native};
use crate::traits::Trait::TellsThreadsApart;
use crate::traits::{Access, Reach};
use crate::words::Words;
use std::hash::{Hash, Hasher};

const fn fills(name: &'static str, run: fn(&mut Context<'_>) -> Result<Flow, Halt>) -> Native {
    Native::if_shared(
        name,
        Reach::Arguments(&[Access::Writes, Access::Value, Access::Value, Access::Value]),
        run,
    )
    .with(&[TellsThreadsApart])
}

pub static NATIVES: &[Native] = &[
    fills("getrandom", getrandom),
    fills("getentropy", getentropy),
    fills("arc4random_buf", getentropy),
    Native::private("arc4random", arc4random).with(&[TellsThreadsApart]),
    Native::private("arc4random_uniform", arc4random_uniform).with(&[TellsThreadsApart]),
];

impl Context<'_> {
    /// The next random number of the calling thread.
    fn next_random(&mut self) -> u64 {
        let seed = self.machine.world.inputs.random;
        let thread = self.this_mut();
        thread.draws = thread.draws.wrapping_add(1);
        let start = match thread.name.path() {
            [] => seed,
            path => {
                let mut hasher = Words::new(seed);
                path.hash(&mut hasher);
                hasher.finish()
            }
        };
        let mut z = start.wrapping_add(0x9e37_79b9_7f4a_7c15u64.wrapping_mul(u64::from(thread.draws)));
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// The next random bytes of the calling thread.
    pub fn next_random_bytes(&mut self, len: u64) -> Vec<u8> {
        let words = (0..len.div_ceil(8)).flat_map(|_| self.next_random().to_le_bytes());
        words.take(len as usize).collect()
    }
}

/// Fills memory with random bytes.
pub fn random_bytes(context: &mut Context<'_>, into: Pointer, len: u64) -> Result<(), Halt> {
    if len > 0 {
        context.machine.check_write(into, len)?;
    }
    let bytes = context.next_random_bytes(len);
    context.write(into, &bytes)
}

fn getrandom(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (into, len) = (context.pointer(0)?, context.int(1)?);
    random_bytes(context, into, len)?;
    context.return_int(len)
}

fn getentropy(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (into, len) = (context.pointer(0)?, context.int(1)?);
    random_bytes(context, into, len)?;
    context.return_int(0)
}

fn number(context: &mut Context<'_>) -> u32 {
    (context.next_random() >> 32) as u32
}

fn arc4random(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let value = number(context);
    context.return_int(u64::from(value))
}

fn arc4random_uniform(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let bound = context.int(0)? as u32;
    let value = number(context).checked_rem(bound).unwrap_or(0);
    context.return_int(u64::from(value))
}
