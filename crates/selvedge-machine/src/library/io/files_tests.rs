//! The view of the file system: what the program changes is seen by the program only.

use super::files::{Files, Target};
use std::sync::Arc;

const ROOT: &[u8] = b"/selvedge-test-that-the-host-does-not-have";

fn below(name: &str) -> Vec<u8> {
    [ROOT, name.as_bytes()].concat()
}

/// A directory of the overlay with nothing in it.
fn empty() -> Files {
    let mut files = Files::default();
    files.make_directory(ROOT, 0o755).expect("a new directory");
    files
}

fn write(files: &mut Files, path: &[u8], text: &[u8]) {
    let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC;
    let descriptor = files.open(path, flags, 0o644).expect("a file that can be written");
    let Target::Node(node) = files.open_file(descriptor).expect("open").target else { panic!("a file") };
    files.write_at(node, 0, text).expect("written");
    files.close(descriptor).expect("closed");
}

fn read(files: &mut Files, path: &[u8]) -> Result<Vec<u8>, i32> {
    let descriptor = files.open(path, libc::O_RDONLY, 0)?;
    let Target::Node(node) = files.open_file(descriptor)?.target else { panic!("a file") };
    let bytes = files.bytes(node)?.to_vec();
    files.close(descriptor)?;
    Ok(bytes)
}

#[test]
fn files_of_the_host_are_read_but_never_changed() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml").as_bytes();
    let original =
        std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")).expect("the package's file");
    let mut files = Files::default();
    assert_eq!(read(&mut files, path).as_deref(), Ok(original.as_slice()));
    write(&mut files, path, b"changed");
    assert_eq!(read(&mut files, path).as_deref(), Ok(b"changed".as_slice()));
    files.remove(path, false).expect("removed");
    assert_eq!(read(&mut files, path), Err(libc::ENOENT));
    assert_eq!(files.status_of(path), Err(libc::ENOENT));
    assert_eq!(read(&mut Files::default(), path).as_deref(), Ok(original.as_slice()));
}

#[test]
fn the_host_itself_is_hidden() {
    let mut files = Files::default();
    assert_eq!(read(&mut files, b"/proc/self/status"), Err(libc::ENOENT));
    assert_eq!(read(&mut files, b"/sys/kernel"), Err(libc::ENOENT));
    assert_eq!(files.open(b"/dev/null", libc::O_RDWR, 0), Ok(3));
}

#[test]
fn directories_hold_files() {
    let mut files = empty();
    assert_eq!(files.make_directory(ROOT, 0o755), Err(libc::EEXIST));
    assert_eq!(files.open(&below("/no/file"), libc::O_CREAT | libc::O_WRONLY, 0o644), Err(libc::ENOENT));
    write(&mut files, &below("/file"), b"text");
    assert_eq!(files.make_directory(&below("/file/inside"), 0o755), Err(libc::ENOTDIR));
    assert_eq!(files.remove(ROOT, true), Err(libc::ENOTEMPTY));
    assert_eq!(files.remove(ROOT, false), Err(libc::EISDIR));
    assert_eq!(files.remove(&below("/file"), true), Err(libc::ENOTDIR));
    assert_eq!(files.open(ROOT, libc::O_WRONLY, 0), Err(libc::EISDIR));
    assert_eq!(read(&mut files, &below("/./x/../file")).as_deref(), Ok(b"text".as_slice()));
    assert_eq!(files.remove(&below("/file"), false), Ok(()));
    assert_eq!(files.remove(ROOT, true), Ok(()));
    assert_eq!(files.status_of(ROOT), Err(libc::ENOENT));
}

#[test]
fn renaming_moves_what_is_below() {
    let mut files = empty();
    files.make_directory(&below("/from"), 0o755).expect("a new directory");
    write(&mut files, &below("/from/file"), b"text");
    write(&mut files, &below("/old"), b"old");
    assert_eq!(files.rename(&below("/from"), &below("/from/inside")), Err(libc::EINVAL));
    assert_eq!(files.rename(&below("/from"), &below("/old")), Err(libc::ENOTDIR));
    assert_eq!(files.rename(&below("/from"), &below("/to")), Ok(()));
    assert_eq!(read(&mut files, &below("/from/file")), Err(libc::ENOENT));
    assert_eq!(read(&mut files, &below("/to/file")).as_deref(), Ok(b"text".as_slice()));
    assert_eq!(files.rename(&below("/to/file"), &below("/old")), Ok(()));
    assert_eq!(read(&mut files, &below("/old")).as_deref(), Ok(b"text".as_slice()));
}

#[test]
fn a_removed_file_lives_while_it_is_open() {
    let mut files = empty();
    write(&mut files, &below("/file"), b"text");
    let descriptor = files.open(&below("/file"), libc::O_RDONLY, 0).expect("open");
    files.remove(&below("/file"), false).expect("removed");
    let Ok(Target::Node(node)) = files.open_file(descriptor).map(|open| open.target) else {
        panic!("a file")
    };
    assert_eq!(files.bytes(node), Ok(b"text".as_slice()));
    files.close(descriptor).expect("closed");
    assert!(files.bytes(node).is_err());
}

#[test]
fn descriptors_are_the_lowest_free_ones() {
    let mut files = Files::default();
    assert_eq!(files.duplicate(1, 0, false), Ok(3));
    assert_eq!(files.duplicate(1, 10, true), Ok(10));
    assert_eq!(files.close(0), Ok(()));
    assert_eq!(files.close(0), Err(libc::EBADF));
    assert_eq!(files.duplicate(1, 0, false), Ok(0));
    assert_eq!(files.duplicate_to(2, 1, false), Ok(1));
    assert_eq!(files.open_file(1).map(|open| open.target), Ok(Target::Output(2)));
    assert_eq!(files.open_file(3).map(|open| open.target), Ok(Target::Output(1)));
    assert_eq!(files.duplicate_to(50, 1, false), Err(libc::EBADF));
    assert_eq!(files.pipe(0), Ok((4, 5)));
}

#[test]
fn the_hash_follows_contents_and_copies_share_them() {
    let mut files = Arc::new(empty());
    write(Files::change(&mut files), &below("/file"), b"one");
    let (before, copy) = (files.hash(), files.clone());
    write(Files::change(&mut files), &below("/file"), b"two");
    assert_ne!(files.hash(), before);
    assert_eq!(copy.hash(), before);
    write(Files::change(&mut files), &below("/file"), b"one");
    assert_eq!(files.hash(), before);
}
