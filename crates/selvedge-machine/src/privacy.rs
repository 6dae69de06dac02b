//! Objects that count as private although another thread reaches them.
//!
//! An object is private until its address can have reached another thread, which is found out by following pointers.
//! That is only a means to leave out events: what makes it sound is that an access of another thread to a private object
//! is noticed when it happens, whatever the pointer says. The execution is given up there, the object's allocation site is
//! told, and the search begins anew with the objects of that site shared from their birth.

use crate::halt::Halt;
use crate::machine::Machine;
use crate::memory::{Found, Object, Pointer};
use selvedge_trace::mutants::{Mutant, mutant};
use selvedge_trace::{AllocationSite, Reduction};
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What completes the sentence "unsupported ..." where an execution is given up.
const HIDDEN: &str = "access of a thread to memory of another one that counted as private";

/// The allocation sites of private objects that other threads have accessed, in all executions of a search.
#[derive(Debug, Default)]
pub struct HiddenSharing {
    sites: Mutex<BTreeSet<AllocationSite>>,
    noticed: Arc<AtomicBool>,
}

impl HiddenSharing {
    /// Nothing was noticed yet. `noticed` is set when something is.
    pub fn new(noticed: Arc<AtomicBool>) -> Self {
        HiddenSharing { sites: Mutex::default(), noticed }
    }

    fn note(&self, site: AllocationSite) {
        self.sites.lock().unwrap_or_else(PoisonError::into_inner).insert(site);
        self.noticed.store(true, Ordering::Relaxed);
    }

    /// Takes the sites that were noticed.
    pub fn take(&self) -> BTreeSet<AllocationSite> {
        std::mem::take(&mut self.sites.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Where an object was allocated.
fn site(object: &Object) -> AllocationSite {
    let mut hasher = xxhash_rust::xxh3::Xxh3::new();
    (object.kind as u8, object.allocated_at, object.origin).hash(&mut hasher);
    AllocationSite(hasher.finish())
}

impl Machine {
    /// An object has been allocated by a thread: it is shared at once if its site's objects are.
    pub(crate) fn share_at_birth(&mut self, thread: usize, pointer: Pointer) {
        let all = !self.config.reductions.has(Reduction::Privacy);
        if !all && self.config.births.is_empty() {
            return;
        }
        let Some(Found::Object(_, _, object)) = self.memory.find(pointer.address) else { return };
        if all || self.config.births.has(site(&object)) {
            // Nothing was written to it that could be too much to remember.
            _ = self.share(thread, pointer.provenance);
        }
    }

    /// From here on accesses are those of a thread: it is noticed if they are to private objects of others.
    pub(crate) fn begin_accesses(&mut self, thread: usize) {
        if !mutant(Mutant::HiddenSharing) {
            self.memory.accessed_by(Some(self.threads[thread].arena));
        }
    }

    /// The thread has stopped. The reason why it cannot go on, if it accessed a private object of another one.
    pub(crate) fn end_accesses(&mut self) -> Option<Halt> {
        self.memory.accessed_by(None);
        let object = self.memory.take_foreign()?;
        if let Some(hidden) = &self.config.hidden {
            hidden.note(site(&object));
        }
        Some(Halt::unsupported(HIDDEN))
    }
}
