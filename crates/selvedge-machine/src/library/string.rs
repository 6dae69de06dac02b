//! Strings and blocks of bytes.
//!
//! Copying keeps what is known of the bytes (pointers, undefined ones); comparing and searching needs the bytes
//! that decide the result to hold a value, and no others.

use super::bytes::{self, find_bytes};
use super::{COMPARES, COPIES, FILLS, LOOKS, model};
use crate::halt::{Halt, ViolationKind};
use crate::memory::{ObjectKind, Pointer};
use crate::native::{Context, Flow, Native};
use crate::traits::Access::{Reads, Value, Writes};
use crate::traits::Reach;
use crate::traits::Trait::{Fixed, Plain};

pub static NATIVES: &[Native] = &[
    model("memcpy", COPIES, memmove).with(&[Plain, Fixed]),
    model("memmove", COPIES, memmove).with(&[Plain, Fixed]),
    model("mempcpy", COPIES, mempcpy).with(&[Plain, Fixed]),
    model("__mempcpy", COPIES, mempcpy).with(&[Plain, Fixed]),
    model("memset", FILLS, memset).with(&[Plain, Fixed]),
    model("explicit_bzero", FILLS, bzero).with(&[Plain, Fixed]),
    model("bzero", FILLS, bzero).with(&[Plain, Fixed]),
    model("bcopy", Reach::Arguments(&[Reads, Writes, Value, Value]), bcopy).with(&[Plain, Fixed]),
    model("memcmp", COMPARES, memcmp).with(&[Plain]),
    model("bcmp", COMPARES, memcmp).with(&[Plain]),
    model("memchr", LOOKS, memchr).with(&[Plain]),
    model("rawmemchr", LOOKS, rawmemchr).with(&[Plain]),
    model("memrchr", LOOKS, memrchr).with(&[Plain]),
    model("memccpy", COPIES, memccpy).with(&[Plain]),
    model("memmem", Reach::Arguments(&[Reads, Value, Reads, Value]), memmem).with(&[Plain]),
    model("strlen", LOOKS, strlen).with(&[Plain]),
    model("strnlen", LOOKS, strnlen).with(&[Plain]),
    model("strcpy", COPIES, strcpy).with(&[Plain]),
    model("stpcpy", COPIES, stpcpy).with(&[Plain]),
    model("strncpy", COPIES, strncpy).with(&[Plain]),
    model("stpncpy", COPIES, stpncpy).with(&[Plain]),
    model("strlcpy", COPIES, strlcpy).with(&[Plain]),
    model("strcat", COPIES, strcat).with(&[Plain]),
    model("strncat", COPIES, strncat).with(&[Plain]),
    model("strlcat", COPIES, strlcat).with(&[Plain]),
    model("strcmp", COMPARES, strcmp).with(&[Plain]),
    model("strcoll", COMPARES, strcmp).with(&[Plain]),
    model("strcoll_l", COMPARES, strcmp).with(&[Plain]),
    model("strncmp", COMPARES, strncmp).with(&[Plain]),
    model("strcasecmp", COMPARES, strcasecmp).with(&[Plain]),
    model("strcasecmp_l", COMPARES, strcasecmp).with(&[Plain]),
    model("strncasecmp", COMPARES, strncasecmp).with(&[Plain]),
    model("strchr", LOOKS, strchr).with(&[Plain]),
    model("index", LOOKS, strchr).with(&[Plain]),
    model("strrchr", LOOKS, strrchr).with(&[Plain]),
    model("rindex", LOOKS, strrchr).with(&[Plain]),
    model("strchrnul", LOOKS, strchrnul).with(&[Plain]),
    model("strstr", COMPARES, strstr).with(&[Plain]),
    model("strcasestr", COMPARES, strcasestr).with(&[Plain]),
    model("strspn", COMPARES, strspn).with(&[Plain]),
    model("strcspn", COMPARES, strcspn).with(&[Plain]),
    model("strpbrk", COMPARES, strpbrk).with(&[Plain]),
    model("strdup", Reach::Anything, strdup).with(&[Plain]),
    model("__strdup", Reach::Anything, strdup).with(&[Plain]),
    model("strndup", Reach::Anything, strndup).with(&[Plain]),
    model("__strndup", Reach::Anything, strndup).with(&[Plain]),
    model("strxfrm", COPIES, strxfrm),
    model("strxfrm_l", COPIES, strxfrm),
    model("__memcpy_chk", COPIES, memmove_checked).with(&[Plain, Fixed]),
    model("__memmove_chk", COPIES, memmove_checked).with(&[Plain, Fixed]),
    model("__mempcpy_chk", COPIES, mempcpy_checked).with(&[Plain, Fixed]),
    model("__memset_chk", FILLS, memset_checked).with(&[Plain, Fixed]),
    model("__strcpy_chk", COPIES, strcpy_checked).with(&[Plain]),
    model("__stpcpy_chk", COPIES, stpcpy_checked).with(&[Plain]),
    model("__strncpy_chk", COPIES, strncpy_checked).with(&[Plain]),
    model("__stpncpy_chk", COPIES, stpncpy_checked).with(&[Plain]),
    model("__strcat_chk", COPIES, strcat_checked).with(&[Plain]),
    model("__strncat_chk", COPIES, strncat_checked).with(&[Plain]),
];

fn memmove(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (to, from, len) = (context.pointer(0)?, context.pointer(1)?, context.int(2)?);
    context.copy(to, from, len)?;
    context.return_pointer(to)
}

fn mempcpy(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (to, from, len) = (context.pointer(0)?, context.pointer(1)?, context.int(2)?);
    context.copy(to, from, len)?;
    context.return_pointer(to.offset(len as i64))
}

fn bcopy(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (from, to, len) = (context.pointer(0)?, context.pointer(1)?, context.int(2)?);
    context.copy(to, from, len)?;
    Ok(Flow::Return)
}

fn memset(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (to, byte, len) = (context.pointer(0)?, context.int(1)? as u8, context.int(2)?);
    bytes::fill(context, to, byte, len)?;
    context.return_pointer(to)
}

fn bzero(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (to, len) = (context.pointer(0)?, context.int(1)?);
    bytes::fill(context, to, 0, len)?;
    Ok(Flow::Return)
}

fn memcmp(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (left, right, len) = (context.pointer(0)?, context.pointer(1)?, context.int(2)?);
    let difference = bytes::difference(context, left, right, len)?;
    context.return_int(difference as u64)
}

/// Returns the place of a byte, or null.
fn found(context: &mut Context<'_>, start: Pointer, offset: Option<usize>) -> Result<Flow, Halt> {
    context.return_pointer(offset.map_or(Pointer::NULL, |offset| start.offset(offset as i64)))
}

fn memchr(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (from, wanted, len) = (context.pointer(0)?, context.int(1)? as u8, context.int(2)?);
    let read = context.read_until(from, len, |byte| byte == wanted)?;
    let offset = read.iter().position(|&byte| byte == wanted);
    found(context, from, offset)
}

fn rawmemchr(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (from, wanted) = (context.pointer(0)?, context.int(1)? as u8);
    let read = context.read_until(from, u64::MAX, |byte| byte == wanted)?;
    context.return_pointer(from.offset(read.len() as i64 - 1))
}

fn memrchr(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (from, wanted, len) = (context.pointer(0)?, context.int(1)? as u8, context.int(2)?);
    let offset = context.read(from, len)?.iter().rposition(|&byte| byte == wanted);
    found(context, from, offset)
}

fn memccpy(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (to, from) = (context.pointer(0)?, context.pointer(1)?);
    let (last, len) = (context.int(2)? as u8, context.int(3)?);
    let read = context.read_until(from, len, |byte| byte == last)?;
    context.write(to, &read)?;
    let end = (read.last() == Some(&last)).then_some(read.len());
    found(context, to, end)
}

fn memmem(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (from, len) = (context.pointer(0)?, context.int(1)?);
    let (pattern, pattern_len) = (context.pointer(2)?, context.int(3)?);
    let (hay, needle) = (context.read(from, len)?, context.read(pattern, pattern_len)?);
    found(context, from, find_bytes(&hay, &needle))
}

fn strlen(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let len = string(context, 0)?.len();
    context.return_int(len as u64)
}

fn strnlen(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (from, limit) = (context.pointer(0)?, context.int(1)?);
    let len = context.read_string(from, Some(limit))?.len();
    context.return_int(len as u64)
}

fn string(context: &mut Context<'_>, argument: usize) -> Result<Vec<u8>, Halt> {
    let from = context.pointer(argument)?;
    context.read_string(from, None)
}

/// The string with its terminator.
fn terminated(context: &mut Context<'_>, argument: usize) -> Result<Vec<u8>, Halt> {
    let mut text = string(context, argument)?;
    text.push(0);
    Ok(text)
}

fn strcpy(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let to = context.pointer(0)?;
    let text = terminated(context, 1)?;
    context.write(to, &text)?;
    context.return_pointer(to)
}

fn stpcpy(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let to = context.pointer(0)?;
    let text = terminated(context, 1)?;
    context.write(to, &text)?;
    context.return_pointer(to.offset(text.len() as i64 - 1))
}

/// Copies as strncpy does; returns the length of the string that was copied.
fn copy_padded(context: &mut Context<'_>) -> Result<usize, Halt> {
    let (to, from, len) = (context.pointer(0)?, context.pointer(1)?, context.int(2)?);
    let mut text = context.read_string(from, Some(len))?;
    let copied = text.len();
    context.machine.check_write(to, len)?;
    text.resize(len as usize, 0);
    context.write(to, &text)?;
    Ok(copied)
}

fn strncpy(context: &mut Context<'_>) -> Result<Flow, Halt> {
    copy_padded(context)?;
    let to = context.pointer(0)?;
    context.return_pointer(to)
}

fn stpncpy(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let copied = copy_padded(context)?;
    let to = context.pointer(0)?;
    context.return_pointer(to.offset(copied as i64))
}

/// Writes as much of `text` as fits into `size` bytes with the terminator.
fn write_fitting(context: &mut Context<'_>, to: Pointer, text: &[u8], size: u64) -> Result<(), Halt> {
    if size > 0 {
        let mut part = text[..text.len().min(size as usize - 1)].to_vec();
        part.push(0);
        context.write(to, &part)?;
    }
    Ok(())
}

fn strlcpy(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (to, size) = (context.pointer(0)?, context.int(2)?);
    let text = string(context, 1)?;
    write_fitting(context, to, &text, size)?;
    context.return_int(text.len() as u64)
}

fn strlcat(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (to, size) = (context.pointer(0)?, context.int(2)?);
    let before = context.read_string(to, Some(size))?.len() as u64;
    let text = string(context, 1)?;
    write_fitting(context, to.offset(before as i64), &text, size - before)?;
    context.return_int(before + text.len() as u64)
}

fn strcat(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let to = context.pointer(0)?;
    let before = string(context, 0)?.len();
    let text = terminated(context, 1)?;
    context.write(to.offset(before as i64), &text)?;
    context.return_pointer(to)
}

fn strncat(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (to, from, len) = (context.pointer(0)?, context.pointer(1)?, context.int(2)?);
    let before = string(context, 0)?.len();
    let mut text = context.read_string(from, Some(len))?;
    text.push(0);
    context.write(to.offset(before as i64), &text)?;
    context.return_pointer(to)
}

/// Compares strings of at most `limit` bytes, after `fold`.
fn compare(context: &mut Context<'_>, limit: u64, fold: fn(u8) -> u8) -> Result<Flow, Halt> {
    let (left, right) = (context.pointer(0)?, context.pointer(1)?);
    let difference = bytes::compare_strings(context, left, right, limit, fold)?;
    context.return_int(difference as u64)
}

fn same(byte: u8) -> u8 {
    byte
}

fn lower(byte: u8) -> u8 {
    byte.to_ascii_lowercase()
}

fn strcmp(context: &mut Context<'_>) -> Result<Flow, Halt> {
    compare(context, u64::MAX, same)
}

fn strncmp(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let limit = context.int(2)?;
    compare(context, limit, same)
}

fn strcasecmp(context: &mut Context<'_>) -> Result<Flow, Halt> {
    compare(context, u64::MAX, lower)
}

fn strncasecmp(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let limit = context.int(2)?;
    compare(context, limit, lower)
}

fn strchr(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (from, wanted) = (context.pointer(0)?, context.int(1)? as u8);
    let read = context.read_until(from, u64::MAX, |byte| byte == wanted || byte == 0)?;
    let offset = read.iter().position(|&byte| byte == wanted);
    found(context, from, offset)
}

fn strchrnul(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (from, wanted) = (context.pointer(0)?, context.int(1)? as u8);
    let read = context.read_until(from, u64::MAX, |byte| byte == wanted || byte == 0)?;
    context.return_pointer(from.offset(read.len() as i64 - 1))
}

fn strrchr(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (from, wanted) = (context.pointer(0)?, context.int(1)? as u8);
    let offset = terminated(context, 0)?.iter().rposition(|&byte| byte == wanted);
    found(context, from, offset)
}

fn strstr(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let from = context.pointer(0)?;
    let (hay, needle) = (string(context, 0)?, string(context, 1)?);
    found(context, from, find_bytes(&hay, &needle))
}

fn strcasestr(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let from = context.pointer(0)?;
    let (hay, needle) = (string(context, 0)?.to_ascii_lowercase(), string(context, 1)?.to_ascii_lowercase());
    found(context, from, find_bytes(&hay, &needle))
}

/// The offset of the first byte of the first string whose being in the second one is `inside`.
fn span(context: &mut Context<'_>, inside: bool) -> Result<(usize, bool), Halt> {
    let set = string(context, 1)?;
    let from = context.pointer(0)?;
    let read = context.read_until(from, u64::MAX, |byte| byte == 0 || set.contains(&byte) == inside)?;
    Ok((read.len() - 1, read.last() == Some(&0)))
}

fn strspn(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (len, _) = span(context, false)?;
    context.return_int(len as u64)
}

fn strcspn(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (len, _) = span(context, true)?;
    context.return_int(len as u64)
}

fn strpbrk(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (len, ended) = span(context, true)?;
    let from = context.pointer(0)?;
    found(context, from, (!ended).then_some(len))
}

/// Returns a copy on the heap.
fn duplicate(context: &mut Context<'_>, mut text: Vec<u8>) -> Result<Flow, Halt> {
    text.push(0);
    let Some(copy) = context.allocate(text.len() as u64, 16, ObjectKind::Heap) else {
        context.set_errno(libc::ENOMEM)?;
        return context.return_pointer(Pointer::NULL);
    };
    context.write(copy, &text)?;
    context.return_pointer(copy)
}

fn strdup(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let text = string(context, 0)?;
    duplicate(context, text)
}

fn strndup(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (from, limit) = (context.pointer(0)?, context.int(1)?);
    let text = context.read_string(from, Some(limit))?;
    duplicate(context, text)
}

fn strxfrm(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (to, size) = (context.pointer(0)?, context.int(2)?);
    let text = string(context, 1)?;
    write_fitting(context, to, &text, size)?;
    context.return_int(text.len() as u64)
}

/// What the compiler knows of the destination's size, where it was told to check.
fn check_size(context: &Context<'_>, needed: u64, argument: usize) -> Result<(), Halt> {
    let size = context.int(argument)?;
    if needed <= size {
        return Ok(());
    }
    let message = format!("buffer overflow: {needed} bytes are written to a buffer of {size} bytes");
    Err(Halt::violation(ViolationKind::Memory, message))
}

fn memmove_checked(context: &mut Context<'_>) -> Result<Flow, Halt> {
    check_size(context, context.int(2)?, 3)?;
    memmove(context)
}

fn mempcpy_checked(context: &mut Context<'_>) -> Result<Flow, Halt> {
    check_size(context, context.int(2)?, 3)?;
    mempcpy(context)
}

fn memset_checked(context: &mut Context<'_>) -> Result<Flow, Halt> {
    check_size(context, context.int(2)?, 3)?;
    memset(context)
}

fn strcpy_checked(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let needed = terminated(context, 1)?.len() as u64;
    check_size(context, needed, 2)?;
    strcpy(context)
}

fn stpcpy_checked(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let needed = terminated(context, 1)?.len() as u64;
    check_size(context, needed, 2)?;
    stpcpy(context)
}

fn strncpy_checked(context: &mut Context<'_>) -> Result<Flow, Halt> {
    check_size(context, context.int(2)?, 3)?;
    strncpy(context)
}

fn stpncpy_checked(context: &mut Context<'_>) -> Result<Flow, Halt> {
    check_size(context, context.int(2)?, 3)?;
    stpncpy(context)
}

fn strcat_checked(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let needed = string(context, 0)?.len() + terminated(context, 1)?.len();
    check_size(context, needed as u64, 2)?;
    strcat(context)
}

fn strncat_checked(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (from, limit) = (context.pointer(1)?, context.int(2)?);
    let needed = string(context, 0)?.len() + context.read_string(from, Some(limit))?.len() + 1;
    check_size(context, needed as u64, 3)?;
    strncat(context)
}
