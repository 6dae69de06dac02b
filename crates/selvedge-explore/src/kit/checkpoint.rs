//! Checkpoints: how far a search has come, so that another process can go on with it.
//!
//! What a search keeps are its own types, written as they are. Each search has a part of the checkpoint; several searches for
//! one answer have one each. The caller, who lends the store, decides whether a checkpoint is of the same program, the same options
//! and the same build: a search takes what it is given for its own.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;

/// Where searches keep how far they have come.
pub trait CheckpointStore: Send + Sync + fmt::Debug {
    /// Whether it is time to keep a part.
    fn is_due(&self, part: &str) -> bool;
    /// Keeps what is written as a part, instead of what was kept of it before. The other parts stay as they are.
    fn keep(&self, part: &str, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>);
    /// What was kept of a part, if anything was.
    fn kept(&self, part: &str) -> Option<Vec<u8>>;
    /// Forgets everything: the search is complete, or begins anew.
    fn forget(&self);
}

/// The part of a checkpoint that belongs to a search.
#[derive(Clone, Debug)]
pub struct Keeper {
    store: Arc<dyn CheckpointStore>,
    part: String,
}

impl Keeper {
    /// For the only search, or for all of them together.
    pub fn new(store: Arc<dyn CheckpointStore>) -> Self {
        Keeper { store, part: "search".to_owned() }
    }

    /// For one of several searches.
    pub(crate) fn member(&self, name: &str) -> Self {
        Keeper { store: self.store.clone(), part: format!("{} {name}", self.part) }
    }

    /// Whether it is time to keep something.
    pub(crate) fn is_due(&self) -> bool {
        self.store.is_due(&self.part)
    }

    /// Keeps this, instead of what was kept before.
    pub(crate) fn keep(&self, what: &impl Serialize) {
        self.store
            .keep(&self.part, &mut |into| postcard::to_io(what, into).map(drop).map_err(io::Error::other));
    }

    /// What was kept before, if there is something.
    pub(crate) fn kept<T: DeserializeOwned>(&self) -> Option<T> {
        let bytes = self.store.kept(&self.part)?;
        let kept = postcard::from_bytes(&bytes);
        debug_assert!(kept.is_ok(), "what the same build has written can be read");
        kept.ok()
    }

    /// Forgets everything that was kept, by other searches too.
    pub fn forget(&self) {
        self.store.forget();
    }
}
