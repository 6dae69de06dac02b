//! Models of the functions on paths.

use super::files::{Errno, Files, Status};
use super::host;
use super::status::{OWNER, write_stat, write_statx};
use super::transfer::{always_possible, native};
use crate::halt::Halt;
use crate::memory::Pointer;
use crate::native::{Context, Flow, Native, Visibility};
use selvedge_trace::{EventKind, Operation};

const CHANGE: Visibility = Visibility::Always {
    operation: |_| Ok(Operation::sync(EventKind::Output, 0)),
    alternatives: always_possible,
};
const LOOK: Visibility = Visibility::Always {
    operation: |_| Ok(Operation::sync(EventKind::Input, 0)),
    alternatives: always_possible,
};

pub static NATIVES: &[Native] = &[
    native("open", CHANGE, open),
    native("open64", CHANGE, open),
    native("__open_2", CHANGE, open),
    native("__open64_2", CHANGE, open),
    native("openat", CHANGE, openat),
    native("openat64", CHANGE, openat),
    native("creat", CHANGE, creat),
    native("creat64", CHANGE, creat),
    native("mkstemp", CHANGE, mkstemp),
    native("mkstemp64", CHANGE, mkstemp),
    native("unlink", CHANGE, |context| change(context, |files, path| files.remove(path, false))),
    native("rmdir", CHANGE, |context| change(context, |files, path| files.remove(path, true))),
    native("remove", CHANGE, |context| change(context, remove)),
    native("chdir", CHANGE, |context| change(context, Files::change_directory)),
    native("unlinkat", CHANGE, unlinkat),
    native("mkdir", CHANGE, mkdir),
    native("rename", CHANGE, rename),
    native("chmod", CHANGE, chmod),
    native("fchmodat", CHANGE, fchmodat),
    native("fchmod", CHANGE, fchmod),
    native("chown", LOOK, |context| chown(context, true)),
    native("lchown", LOOK, |context| chown(context, false)),
    native("fchown", LOOK, fchown),
    native("truncate", CHANGE, truncate),
    native("truncate64", CHANGE, truncate),
    native("stat", LOOK, |context| stat(context, true)),
    native("stat64", LOOK, |context| stat(context, true)),
    native("lstat", LOOK, |context| stat(context, false)),
    native("lstat64", LOOK, |context| stat(context, false)),
    native("fstatat", LOOK, fstatat),
    native("fstatat64", LOOK, fstatat),
    native("statx", LOOK, statx),
    native("access", LOOK, access),
    native("getcwd", LOOK, getcwd),
    native("__getcwd_chk", LOOK, getcwd),
    native("realpath", LOOK, realpath),
    native("__realpath_chk", LOOK, realpath),
    native("readlink", LOOK, readlink),
    native("__readlink_chk", LOOK, readlink),
];

fn note(context: &mut Context<'_>, kind: EventKind) {
    context.event(kind, 0, &[], &[]);
}

/// A path relative to a directory's descriptor.
fn path_at(context: &mut Context<'_>, descriptor: usize, path: usize) -> Result<Vec<u8>, Halt> {
    let directory = context.int32(descriptor)?;
    let path = context.path(path)?;
    match directory == libc::AT_FDCWD || path.first() == Some(&b'/') {
        true => Ok(path),
        false => Err(Halt::unsupported("path relative to the descriptor of a directory")),
    }
}

fn open_path(context: &mut Context<'_>, path: &[u8], flags: i32, mode: u32) -> Result<Flow, Halt> {
    let result = context.files_mut().open(path, flags, mode);
    note(context, EventKind::Output);
    context.finish(result.map(|descriptor| descriptor as u64))
}

fn open(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (path, flags, mode) = (context.path(0)?, context.int32(1)?, context.optional(2)? as u32);
    open_path(context, &path, flags, mode)
}

fn openat(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let path = path_at(context, 0, 1)?;
    let (flags, mode) = (context.int32(2)?, context.optional(3)? as u32);
    open_path(context, &path, flags, mode)
}

fn creat(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (path, mode) = (context.path(0)?, context.int(1)? as u32);
    open_path(context, &path, libc::O_CREAT | libc::O_WRONLY | libc::O_TRUNC, mode)
}

fn mkstemp(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let template = context.pointer(0)?;
    let mut path = context.read_string(template, None)?;
    let Some(start) = path.len().checked_sub(6).filter(|&start| &path[start..] == b"XXXXXX") else {
        return context.fail(libc::EINVAL);
    };
    for number in 0..1_000_000 {
        path[start..].copy_from_slice(format!("{number:06}").as_bytes());
        let flags = libc::O_RDWR | libc::O_CREAT | libc::O_EXCL;
        match context.files_mut().open(&path, flags, 0o600) {
            Err(libc::EEXIST) => continue,
            result => {
                context.write(template, &path)?;
                note(context, EventKind::Output);
                return context.finish(result.map(|descriptor| descriptor as u64));
            }
        }
    }
    context.fail(libc::EEXIST)
}

fn change(context: &mut Context<'_>, act: fn(&mut Files, &[u8]) -> Result<(), Errno>) -> Result<Flow, Halt> {
    let path = context.path(0)?;
    let result = act(context.files_mut(), &path);
    note(context, EventKind::Output);
    context.finish(result.map(|()| 0))
}

fn remove(files: &mut Files, path: &[u8]) -> Result<(), Errno> {
    match files.remove(path, false) {
        Err(libc::EISDIR) => files.remove(path, true),
        result => result,
    }
}

fn unlinkat(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let path = path_at(context, 0, 1)?;
    let directory = context.int32(2)? & libc::AT_REMOVEDIR != 0;
    let result = context.files_mut().remove(&path, directory);
    note(context, EventKind::Output);
    context.finish(result.map(|()| 0))
}

fn mkdir(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (path, mode) = (context.path(0)?, context.int(1)? as u32);
    let result = context.files_mut().make_directory(&path, mode);
    note(context, EventKind::Output);
    context.finish(result.map(|()| 0))
}

fn rename(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (from, to) = (context.path(0)?, context.path(1)?);
    let result = context.files_mut().rename(&from, &to);
    note(context, EventKind::Output);
    context.finish(result.map(|()| 0))
}

fn chmod(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (path, mode) = (context.path(0)?, context.int(1)? as u32);
    let result = context.files_mut().change_mode(&path, mode);
    note(context, EventKind::Output);
    context.finish(result.map(|()| 0))
}

fn fchmodat(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let path = path_at(context, 0, 1)?;
    let mode = context.int(2)? as u32;
    let result = context.files_mut().change_mode(&path, mode);
    note(context, EventKind::Output);
    context.finish(result.map(|()| 0))
}

fn fchmod(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (descriptor, mode) = (context.int32(0)?, context.int(1)? as u32);
    let result = context.files_mut().change_open_mode(descriptor, mode);
    note(context, EventKind::Output);
    context.finish(result.map(|()| 0))
}

/// Ends `chown` and its like: a user can give files to no other one, and the user's are all that there are.
fn give(context: &mut Context<'_>, file: Result<Status, Errno>) -> Result<Flow, Halt> {
    const SAME: u32 = u32::MAX;
    let own = |id: u32| id == SAME || id == OWNER;
    let ids = [context.int(1)? as u32, context.int(2)? as u32];
    note(context, EventKind::Input);
    context.finish(file.and_then(|_| if ids.into_iter().all(own) { Ok(0) } else { Err(libc::EPERM) }))
}

fn chown(context: &mut Context<'_>, follow: bool) -> Result<Flow, Halt> {
    let path = context.path(0)?;
    let file = context.files().path_status(&path, follow);
    give(context, file)
}

fn fchown(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let descriptor = context.int32(0)?;
    let input = context.machine.world.inputs.stdin.len() as u64;
    let file = context.files().descriptor_status(descriptor, input);
    give(context, file)
}

fn truncate(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (path, size) = (context.path(0)?, context.int(1)?);
    let result = context.files_mut().resize_path(&path, size);
    note(context, EventKind::Output);
    context.finish(result.map(|()| 0))
}

fn stat(context: &mut Context<'_>, follow: bool) -> Result<Flow, Halt> {
    let (path, buffer) = (context.path(0)?, context.pointer(1)?);
    let result = context.files().path_status(&path, follow);
    note(context, EventKind::Input);
    write_stat(context, buffer, result)
}

fn fstatat(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let path = path_at(context, 0, 1)?;
    let (buffer, flags) = (context.pointer(2)?, context.int32(3)?);
    let result = context.files().path_status(&path, flags & libc::AT_SYMLINK_NOFOLLOW == 0);
    note(context, EventKind::Input);
    write_stat(context, buffer, result)
}

fn statx(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (descriptor, flags, buffer) = (context.int32(0)?, context.int32(2)?, context.pointer(4)?);
    note(context, EventKind::Input);
    if context.pointer(1)?.is_null() || buffer.is_null() {
        return context.fail(libc::EFAULT);
    }
    let result = match context.path(1)?.is_empty() && flags & libc::AT_EMPTY_PATH != 0 {
        true => {
            let input = context.machine.world.inputs.stdin.len() as u64;
            context.files().descriptor_status(descriptor, input)
        }
        false => {
            let path = path_at(context, 0, 1)?;
            context.files().path_status(&path, flags & libc::AT_SYMLINK_NOFOLLOW == 0)
        }
    };
    write_statx(context, buffer, result)
}

fn access(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (path, wanted) = (context.path(0)?, context.int(1)? as u32);
    let result = context.files().path_status(&path, true);
    note(context, EventKind::Input);
    context.finish(result.and_then(|status| {
        let allowed = status.mode | status.mode >> 3 | status.mode >> 6;
        if wanted & !allowed & 7 == 0 { Ok(0) } else { Err(libc::EACCES) }
    }))
}

fn getcwd(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (buffer, size) = (context.pointer(0)?, context.int(1)?);
    let mut path = context.files().current_directory();
    path.push(0);
    note(context, EventKind::Input);
    if size != 0 && size < path.len() as u64 {
        return context.fail_null(libc::ERANGE);
    }
    hand_out(context, buffer, &path)
}

/// Returns a string in the program's buffer, or in a new block if it gave none.
fn hand_out(context: &mut Context<'_>, buffer: Pointer, bytes: &[u8]) -> Result<Flow, Halt> {
    if buffer.is_null() {
        return match context.allocate_heap(bytes)? {
            Some(block) => context.return_pointer(block),
            None => context.fail_null(libc::ENOMEM),
        };
    }
    context.write(buffer, bytes)?;
    context.return_pointer(buffer)
}

fn realpath(context: &mut Context<'_>) -> Result<Flow, Halt> {
    if context.pointer(0)?.is_null() {
        return context.fail_null(libc::EINVAL);
    }
    let (path, buffer) = (context.path(0)?, context.pointer(1)?);
    let files = context.files();
    let result = files.absolute(&path).and_then(|path| files.status_of(&path).map(|_| path));
    note(context, EventKind::Input);
    match result {
        Ok(path) => {
            let mut path = host::resolved(&path);
            path.push(0);
            hand_out(context, buffer, &path)
        }
        Err(errno) => context.fail_null(errno),
    }
}

fn readlink(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (path, buffer, size) = (context.path(0)?, context.pointer(1)?, context.int(2)?);
    // Every process has them, so that a program which does not find them would go wrong as it never does.
    if path.starts_with(b"/proc/") {
        let path = String::from_utf8_lossy(&path).into_owned();
        return Err(Halt::unsupported(format!("look at where `{path}` leads")));
    }
    let result = context.files().link(&path);
    note(context, EventKind::Input);
    if let Ok(target) = &result {
        context.write(buffer, &target[..target.len().min(size as usize)])?;
    }
    context.finish(result.map(|target| size.min(target.len() as u64)))
}
