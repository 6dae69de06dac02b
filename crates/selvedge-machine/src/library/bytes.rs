//! Helpers of the models that work on bytes.

use crate::halt::Halt;
use crate::memory::Pointer;
use crate::native::Context;

/// Offset of the first occurrence.
pub fn find_bytes(hay: &[u8], needle: &[u8]) -> Option<usize> {
    match needle {
        [] => Some(0),
        _ => hay.windows(needle.len()).position(|window| window == needle),
    }
}

/// Writes the same byte everywhere.
pub fn fill(context: &mut Context<'_>, to: Pointer, byte: u8, len: u64) -> Result<(), Halt> {
    if len == 0 {
        return Ok(());
    }
    if context.machine.check_write(to, len)?.shared || context.machine.watch {
        return context.write(to, &vec![byte; len as usize]);
    }
    context.machine.memory.fill(to.address, byte, len);
    Ok(())
}

/// The difference of the first two bytes that differ, as memcmp returns it.
pub fn difference(context: &mut Context<'_>, left: Pointer, right: Pointer, len: u64) -> Result<i64, Halt> {
    let (a, a_defined) = context.machine.load_bytes(context.thread, left, len)?;
    let (b, b_defined) = context.machine.load_bytes(context.thread, right, len)?;
    let first = a.iter().zip(&b).position(|(x, y)| x != y);
    let used = first.map_or(len, |first| first as u64 + 1);
    context.see_in_turn((left, &a[..used as usize]), (right, &b[..used as usize]));
    for (from, defined) in [(left, a_defined), (right, b_defined)] {
        if !defined && context.defined_bytes(from, used).contains(&false) {
            let name = context.machine.inspect().name_of(from.address);
            return Err(context.machine.uninitialised(&format!("compared bytes at {name}")));
        }
    }
    Ok(first.map_or(0, |first| i64::from(a[first]) - i64::from(b[first])))
}

/// The difference of the first two bytes that differ, after `fold`, of two strings of at most `limit` bytes; what
/// follows those bytes is not looked at.
pub fn compare_strings(
    context: &mut Context<'_>,
    left: Pointer,
    right: Pointer,
    limit: u64,
    fold: fn(u8) -> u8,
) -> Result<i64, Halt> {
    let mut at = 0;
    while at < limit {
        let part = 16.min(limit - at);
        let (from, other) = (left.offset(at as i64), right.offset(at as i64));
        let room = |context: &mut Context<'_>, from: Pointer| -> Result<u64, Halt> {
            let bounds = context.machine.memory.check(from, 1)?;
            Ok(bounds.base + bounds.size - from.address)
        };
        let part = part.min(room(context, from)?).min(room(context, other)?);
        let (a, a_defined) = context.machine.load_bytes(context.thread, from, part)?;
        let (b, b_defined) = context.machine.load_bytes(context.thread, other, part)?;
        let end = a.iter().zip(&b).position(|(&x, &y)| x == 0 || fold(x) != fold(y));
        let used = end.map_or(part, |end| end as u64 + 1);
        context.see_in_turn((from, &a[..used as usize]), (other, &b[..used as usize]));
        for (from, defined) in [(from, a_defined), (other, b_defined)] {
            if !defined && context.defined_bytes(from, used).contains(&false) {
                let name = context.machine.inspect().name_of(from.address);
                return Err(context.machine.uninitialised(&format!("compared bytes at {name}")));
            }
        }
        if let Some(end) = end {
            return Ok(i64::from(fold(a[end])) - i64::from(fold(b[end])));
        }
        at += part;
    }
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::find_bytes;

    #[test]
    fn finds_the_first_occurrence() {
        assert_eq!(find_bytes(b"abcabc", b"bc"), Some(1));
        assert_eq!(find_bytes(b"abc", b""), Some(0));
        assert_eq!(find_bytes(b"abc", b"abcd"), None);
    }
}
