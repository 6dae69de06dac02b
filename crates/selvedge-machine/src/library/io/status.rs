//! `struct stat` and `struct statx`, as glibc has them on x86-64.

use super::files::{Errno, Status};
use crate::halt::Halt;
use crate::memory::Pointer;
use crate::native::{Context, Flow};

/// Files belong to this user and group.
pub const OWNER: u32 = 1000;
const BLOCK: u64 = 4096;

fn blocks(status: &Status) -> u64 {
    status.size.div_ceil(BLOCK) * (BLOCK / 512)
}

/// Seconds and nanoseconds.
type Time = (u64, u64);

/// All times are the moment when the execution began: real ones would make two runs differ.
fn time(context: &Context<'_>) -> Time {
    let clock = context.machine.world.inputs.clock;
    (clock / 1_000_000_000, clock % 1_000_000_000)
}

/// Ends `stat` and its like.
pub fn write_stat(
    context: &mut Context<'_>,
    to: Pointer,
    result: Result<Status, Errno>,
) -> Result<Flow, Halt> {
    end(context, to, result, stat_words)
}

fn stat_words(status: &Status, (seconds, nanoseconds): Time) -> Vec<u64> {
    let mut words = vec![0_u64; 18];
    words[0] = 1;
    words[1] = status.node;
    words[2] = u64::from(status.links);
    words[3] = u64::from(status.mode) | u64::from(OWNER) << 32;
    words[4] = u64::from(OWNER);
    words[6] = status.size;
    words[7] = BLOCK;
    words[8] = blocks(status);
    for moment in 0..3 {
        words[9 + 2 * moment] = seconds;
        words[10 + 2 * moment] = nanoseconds;
    }
    words
}

/// Ends `statx`.
pub fn write_statx(
    context: &mut Context<'_>,
    to: Pointer,
    result: Result<Status, Errno>,
) -> Result<Flow, Halt> {
    end(context, to, result, statx_words)
}

fn statx_words(status: &Status, (seconds, nanoseconds): Time) -> Vec<u64> {
    let mut words = vec![0_u64; 32];
    // Mask: the basic fields and the time of birth.
    words[0] = 0xfff | BLOCK << 32;
    words[2] = u64::from(status.links) | u64::from(OWNER) << 32;
    words[3] = u64::from(OWNER) | u64::from(status.mode & 0xffff) << 32;
    words[4] = status.node;
    words[5] = status.size;
    words[6] = blocks(status);
    for moment in 0..4 {
        words[8 + 2 * moment] = seconds;
        words[9 + 2 * moment] = nanoseconds;
    }
    words[17] = 1;
    words
}

/// Ends a call that asks for a status: stores it as the words that `words` makes of it and of the time.
fn end(
    context: &mut Context<'_>,
    to: Pointer,
    result: Result<Status, Errno>,
    words: fn(&Status, Time) -> Vec<u64>,
) -> Result<Flow, Halt> {
    match result {
        Ok(status) => {
            let words = words(&status, time(context));
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            context.write(to, &bytes)?;
            context.return_int(0)
        }
        Err(errno) => context.fail(errno),
    }
}
