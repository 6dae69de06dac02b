//! The file in which a search keeps how far it has come.
//!
//! Its first line says, as JSON, which search of which program by which build it belongs to. Parts follow, each with a line
//! that names it and says how long it is and what it sums up to. A part is written anew while the others are copied, so that
//! nothing of them has to fit into memory; a process that reads the file finds the old one or the new one, and nothing in
//! between.

use super::Settings;
use crate::run::prepare::Prepared;
use selvedge_explore::CheckpointStore;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use xxhash_rust::xxh3::Xxh3;

/// Of the time at most one part in so many is spent with writing.
const SHARE: u32 = 10;

/// Why a file cannot be gone on with.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    #[error("the checkpoint `{0}` cannot be read: {1}. Name another file, or remove it")]
    Unreadable(PathBuf, io::Error),
    #[error("`{0}` is no checkpoint, or a damaged one. Name another file, or remove it")]
    Damaged(PathBuf),
    #[error(
        "the checkpoint `{0}` was written by another build of Selvedge ({1}; this is {2}), whose searches may go another \
         way. Go on with that one, name another file, or remove it"
    )]
    Build(PathBuf, String, String),
    #[error("the checkpoint `{0}` is of another program. Name another file, or remove it")]
    Program(PathBuf),
    #[error(
        "the checkpoint `{0}` is of a search with other options ({1}). Use the same ones, name another file, or remove it"
    )]
    Options(PathBuf, String),
    #[error("the checkpoint `{0}` cannot be written: {1}. Name a file in a folder that can be written to")]
    Unwritable(PathBuf, io::Error),
}

/// The first line of the file.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Head {
    /// Version and digest of the executable.
    selvedge_checkpoint: String,
    program: String,
    options: BTreeMap<String, String>,
}

/// The line before a part. Numbers have a fixed width: they are filled in when the part has been written.
#[derive(Debug, Serialize, Deserialize)]
struct PartHead {
    part: String,
    bytes: String,
    digest: String,
}

impl PartHead {
    fn new(part: &str, bytes: u64, digest: u64) -> Self {
        PartHead { part: part.to_owned(), bytes: format!("{bytes:016x}"), digest: format!("{digest:016x}") }
    }

    fn bytes(&self) -> Option<u64> {
        u64::from_str_radix(&self.bytes, 16).ok()
    }

    fn write(&self, into: &mut impl Write) -> io::Result<()> {
        serde_json::to_writer(&mut *into, self)?;
        into.write_all(b"\n")
    }
}

/// Counts and sums up what is written.
struct Measured<W> {
    into: W,
    bytes: u64,
    digest: Xxh3,
}

impl<W: Write> Write for Measured<W> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let written = self.into.write(buffer)?;
        self.bytes += written as u64;
        self.digest.update(&buffer[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.into.flush()
    }
}

/// When a part was kept last, and how long that took.
type Times = BTreeMap<String, (Instant, Duration)>;

#[derive(Debug)]
pub struct CheckpointFile {
    path: PathBuf,
    head: Head,
    /// How often something is kept.
    every: Duration,
    begun: Instant,
    times: Mutex<Times>,
    /// Held while the file is read or written.
    trouble: Mutex<Option<CheckpointError>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl CheckpointFile {
    /// The file for this search, with what was kept in it before, if it is there.
    pub fn open(path: &Path, prepared: &Prepared, settings: &Settings) -> Result<Self, CheckpointError> {
        let file = CheckpointFile {
            path: path.to_owned(),
            head: head(prepared, settings),
            every: Duration::from_millis(settings.options.tuning.checkpoint_time),
            begun: Instant::now(),
            times: Mutex::default(),
            trouble: Mutex::default(),
        };
        file.check()?;
        Ok(file)
    }

    /// What went wrong when something was to be kept.
    pub fn trouble(&self) -> Option<CheckpointError> {
        lock(&self.trouble).take()
    }

    /// Whether the search can go on with what is in the file, if it is there.
    fn check(&self) -> Result<(), CheckpointError> {
        let path = || self.path.clone();
        let unreadable = |error| CheckpointError::Unreadable(path(), error);
        let Some(mut file) = self.file().map_err(unreadable)? else { return Ok(()) };
        let line = line(&mut file).map_err(|_| CheckpointError::Damaged(path()))?;
        let head: Head = serde_json::from_slice(&line).map_err(|_| CheckpointError::Damaged(path()))?;
        let Head { selvedge_checkpoint: build, program, options } = &self.head;
        if head.selvedge_checkpoint != *build {
            return Err(CheckpointError::Build(path(), head.selvedge_checkpoint, build.clone()));
        }
        if head.program != *program {
            return Err(CheckpointError::Program(path()));
        }
        if head.options != *options {
            return Err(CheckpointError::Options(path(), difference(&head.options, options)));
        }
        while let Some(part) = part(&mut file).map_err(|_| CheckpointError::Damaged(path()))? {
            let bytes = part.bytes().ok_or_else(|| CheckpointError::Damaged(path()))?;
            let mut measured = Measured { into: io::sink(), bytes: 0, digest: Xxh3::new() };
            io::copy(&mut (&mut file).take(bytes), &mut measured).map_err(unreadable)?;
            if part.digest != format!("{:016x}", measured.digest.digest()) || measured.bytes != bytes {
                return Err(CheckpointError::Damaged(path()));
            }
        }
        Ok(())
    }

    /// The file, if it is there.
    fn file(&self) -> io::Result<Option<BufReader<File>>> {
        match File::open(&self.path) {
            Ok(file) => Ok(Some(BufReader::new(file))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Writes a part; the others are copied.
    fn write(&self, name: &str, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let new = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
        let mut into = BufWriter::new(new.as_file());
        serde_json::to_writer(&mut into, &self.head)?;
        into.write_all(b"\n")?;
        if let Some(mut old) = self.file()? {
            line(&mut old)?;
            while let Some(part) = part(&mut old)? {
                let bytes = part.bytes().ok_or(io::ErrorKind::InvalidData)?;
                if part.part == name {
                    io::copy(&mut (&mut old).take(bytes), &mut io::sink())?;
                } else {
                    part.write(&mut into)?;
                    io::copy(&mut (&mut old).take(bytes), &mut into)?;
                }
            }
        }
        let at = into.stream_position()?;
        PartHead::new(name, 0, 0).write(&mut into)?;
        let mut measured = Measured { into: &mut into, bytes: 0, digest: Xxh3::new() };
        write(&mut measured)?;
        let (bytes, digest) = (measured.bytes, measured.digest.digest());
        into.seek(SeekFrom::Start(at))?;
        PartHead::new(name, bytes, digest).write(&mut into)?;
        into.flush()?;
        drop(into);
        new.as_file().sync_all()?;
        new.persist(&self.path)?;
        Ok(())
    }

    /// Reads a part.
    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        let Some(mut file) = self.file()? else { return Ok(None) };
        line(&mut file)?;
        while let Some(part) = part(&mut file)? {
            let bytes = part.bytes().ok_or(io::ErrorKind::InvalidData)?;
            if part.part == name {
                let mut content = Vec::new();
                file.take(bytes).read_to_end(&mut content)?;
                return Ok(Some(content));
            }
            io::copy(&mut (&mut file).take(bytes), &mut io::sink())?;
        }
        Ok(None)
    }
}

/// A line without its end, which has to be there.
fn line(file: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    file.take(1 << 20).read_until(b'\n', &mut line)?;
    match line.pop() {
        Some(b'\n') => Ok(line),
        _ => Err(io::ErrorKind::InvalidData.into()),
    }
}

/// The line before the next part; nothing at the end.
fn part(file: &mut impl BufRead) -> io::Result<Option<PartHead>> {
    if file.fill_buf()?.is_empty() {
        return Ok(None);
    }
    Ok(Some(serde_json::from_slice(&line(file)?)?))
}

impl CheckpointStore for CheckpointFile {
    fn is_due(&self, part: &str) -> bool {
        let times = lock(&self.times);
        let (last, took) = times.get(part).copied().unwrap_or((self.begun, Duration::ZERO));
        last.elapsed() >= self.every.max(took * SHARE)
    }

    fn keep(&self, part: &str, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) {
        let begun = Instant::now();
        let mut trouble = lock(&self.trouble);
        if let Err(error) = self.write(part, write) {
            *trouble = Some(CheckpointError::Unwritable(self.path.clone(), error));
        }
        drop(trouble);
        lock(&self.times).insert(part.to_owned(), (Instant::now(), begun.elapsed()));
    }

    fn kept(&self, part: &str) -> Option<Vec<u8>> {
        let mut trouble = lock(&self.trouble);
        self.read(part).unwrap_or_else(|error| {
            *trouble = Some(CheckpointError::Unreadable(self.path.clone(), error));
            None
        })
    }

    fn forget(&self) {
        let mut trouble = lock(&self.trouble);
        if let Err(error) = std::fs::remove_file(&self.path)
            && error.kind() != io::ErrorKind::NotFound
        {
            *trouble = Some(CheckpointError::Unwritable(self.path.clone(), error));
        }
    }
}

/// What tells searches apart that do not go the same way.
fn head(prepared: &Prepared, settings: &Settings) -> Head {
    let Settings { model, inputs, options, symbolic, .. } = settings;
    let own = [
        ("model", model.name().to_owned()),
        ("inputs", digest(format!("{inputs:?}").as_bytes())),
        ("symbolic", format!("{symbolic:?}")),
    ];
    let told = own.into_iter().chain(options.identity());
    Head {
        selvedge_checkpoint: format!("{} {}", env!("CARGO_PKG_VERSION"), executable()),
        program: format!("{:016x}", prepared.program.fingerprint),
        options: told.map(|(name, value)| (name.to_owned(), value)).collect(),
    }
}

fn digest(bytes: &[u8]) -> String {
    format!("{:016x}", xxhash_rust::xxh3::xxh3_64(bytes))
}

/// The digest of this executable: another one may number and order what a search keeps in another way.
fn executable() -> String {
    let read = std::env::current_exe().and_then(std::fs::read);
    read.map_or_else(|_| "unknown".to_owned(), |bytes| digest(&bytes))
}

/// Which options are not the same, and how.
fn difference(kept: &BTreeMap<String, String>, asked: &BTreeMap<String, String>) -> String {
    let value = |options: &BTreeMap<String, String>, name: &str| {
        options.get(name).cloned().unwrap_or_else(|| "nothing".to_owned())
    };
    let names = kept.keys().chain(asked.keys().filter(|name| !kept.contains_key(*name)));
    let other = names.filter(|name| kept.get(*name) != asked.get(*name));
    let words = |name: &String| format!("{name} was {}, and is {}", value(kept, name), value(asked, name));
    other.map(words).collect::<Vec<_>>().join("; ")
}
