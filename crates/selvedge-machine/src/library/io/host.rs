//! What the machine sees of the host's files: nothing of `/proc`, `/sys` and `/dev`, and read only.

use super::files::{Errno, Status};
use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Nodes of the host get numbers from here on, so that they never equal one of the overlay.
const HOST_NODES: u64 = 1 << 40;

fn hidden(path: &[u8]) -> bool {
    let inside = |root: &[u8]| path.starts_with(root) && matches!(path.get(root.len()), None | Some(b'/'));
    inside(b"/proc") || inside(b"/sys") || inside(b"/dev")
}

fn number(error: &std::io::Error) -> Errno {
    error.raw_os_error().unwrap_or(libc::EIO)
}

fn status_from(metadata: std::fs::Metadata) -> Status {
    let links = metadata.nlink() as u32;
    Status { node: HOST_NODES + metadata.ino(), mode: metadata.mode(), links, size: metadata.size() }
}

/// The current directory.
pub fn current_directory() -> Vec<u8> {
    std::env::current_dir().map_or_else(|_| b"/".to_vec(), |path| path.into_os_string().into_vec())
}

/// What is at an absolute path; symbolic links are followed.
pub fn status(path: &[u8]) -> Result<Status, Errno> {
    if hidden(path) {
        return Err(libc::ENOENT);
    }
    std::fs::metadata(Path::new(OsStr::from_bytes(path))).map(status_from).map_err(|error| number(&error))
}

/// As `status`, of a symbolic link itself.
pub fn link_status(path: &[u8]) -> Result<Status, Errno> {
    let metadata = std::fs::symlink_metadata(Path::new(OsStr::from_bytes(path)));
    metadata.map(status_from).map_err(|error| number(&error))
}

/// Where a symbolic link leads.
pub fn link(path: &[u8]) -> Result<Vec<u8>, Errno> {
    let target = std::fs::read_link(Path::new(OsStr::from_bytes(path))).map_err(|error| number(&error))?;
    Ok(target.into_os_string().into_vec())
}

/// The contents of a file. Only regular files: reading others could wait forever.
pub fn contents(path: &[u8]) -> Result<Vec<u8>, Errno> {
    match status(path)?.mode & libc::S_IFMT {
        libc::S_IFREG => std::fs::read(Path::new(OsStr::from_bytes(path))).map_err(|error| number(&error)),
        _ => Err(libc::EACCES),
    }
}

/// The absolute names in a directory, sorted; none if it is not one.
pub fn entries(path: &[u8]) -> Vec<Vec<u8>> {
    if hidden(path) {
        return Vec::new();
    }
    let Ok(entries) = std::fs::read_dir(Path::new(OsStr::from_bytes(path))) else { return Vec::new() };
    let mut names: Vec<_> = entries.flatten().map(|entry| entry.path().into_os_string().into_vec()).collect();
    names.sort_unstable();
    names
}

/// The path without symbolic links; as it is where the host does not know it.
pub fn resolved(path: &[u8]) -> Vec<u8> {
    let resolved = std::fs::canonicalize(Path::new(OsStr::from_bytes(path)));
    resolved.map_or_else(|_| path.to_vec(), |path| path.into_os_string().into_vec())
}
