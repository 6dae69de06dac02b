//! The file in which a search keeps how far it has come.

use super::Settings;
use crate::run::prepare::Prepared;
use selvedge_explore::{Checkpoint, CheckpointStore};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often something is kept.
const EVERY: Duration = Duration::from_secs(10);
/// The form of the file.
const SCHEMA: u32 = 1;

/// Why a file cannot be gone on with.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    #[error("the checkpoint `{0}` cannot be read: {1}. Name another file, or remove it")]
    Unreadable(PathBuf, io::Error),
    #[error("`{0}` is no checkpoint of this version of Selvedge ({1}). Name another file, or remove it")]
    Damaged(PathBuf, serde_json::Error),
    #[error(
        "the checkpoint `{0}` is of another program, or of a search with other options. Name another file, or remove it"
    )]
    Other(PathBuf),
    #[error("the checkpoint `{0}` cannot be written: {1}. Name a file in a folder that can be written to")]
    Unwritable(PathBuf, io::Error),
}

/// What is in the file.
#[derive(Serialize, Deserialize)]
struct Form {
    checkpoint: u32,
    of: String,
    search: Checkpoint,
}

#[derive(Debug)]
pub struct CheckpointFile {
    path: PathBuf,
    of: String,
    kept: Option<Checkpoint>,
    last: Mutex<Instant>,
    trouble: Mutex<Option<CheckpointError>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl CheckpointFile {
    /// The file for this search, with what it was kept in it before, if it is there.
    pub fn open(path: &Path, prepared: &Prepared, settings: &Settings) -> Result<Self, CheckpointError> {
        let of = identity(prepared, settings);
        let kept = match std::fs::read(path) {
            Ok(bytes) => {
                let damaged = |error| CheckpointError::Damaged(path.to_owned(), error);
                let form: Form = serde_json::from_slice(&bytes).map_err(damaged)?;
                if form.of != of || form.checkpoint != SCHEMA {
                    return Err(CheckpointError::Other(path.to_owned()));
                }
                Some(form.search)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(CheckpointError::Unreadable(path.to_owned(), error)),
        };
        let (last, trouble) = (Mutex::new(Instant::now()), Mutex::default());
        Ok(CheckpointFile { path: path.to_owned(), of, kept, last, trouble })
    }

    /// What went wrong when something was to be kept.
    pub fn trouble(&self) -> Option<CheckpointError> {
        lock(&self.trouble).take()
    }

    /// A process that reads the file finds the old one or the new one, and nothing in between.
    fn write(&self, checkpoint: &Checkpoint) -> io::Result<()> {
        let form = Form { checkpoint: SCHEMA, of: self.of.clone(), search: checkpoint.clone() };
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let file = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
        serde_json::to_writer(io::BufWriter::new(file.as_file()), &form)?;
        file.as_file().sync_all()?;
        file.persist(&self.path)?;
        Ok(())
    }
}

impl CheckpointStore for CheckpointFile {
    fn is_due(&self) -> bool {
        lock(&self.last).elapsed() >= EVERY
    }

    fn keep(&self, checkpoint: &Checkpoint) {
        if let Err(error) = self.write(checkpoint) {
            *lock(&self.trouble) = Some(CheckpointError::Unwritable(self.path.clone(), error));
        }
        *lock(&self.last) = Instant::now();
    }

    fn complete(&self) {
        if let Err(error) = std::fs::remove_file(&self.path)
            && error.kind() != io::ErrorKind::NotFound
        {
            *lock(&self.trouble) = Some(CheckpointError::Unwritable(self.path.clone(), error));
        }
    }

    fn kept(&self) -> Option<Checkpoint> {
        self.kept.clone()
    }
}

/// What tells searches apart whose tree of executions is not the same.
fn identity(prepared: &Prepared, settings: &Settings) -> String {
    let options = &settings.options;
    format!(
        "{:016x} {:?} {} views {} paths {} all {} races {} leaks {} unroll {:?} preemptions {:?} inputs {:?}",
        prepared.program.fingerprint,
        settings.model,
        options.strategy.name(),
        options.count_views,
        options.count_paths,
        options.keep_going,
        options.races,
        options.leaks,
        options.unroll,
        options.preemptions,
        settings.inputs,
    )
}
