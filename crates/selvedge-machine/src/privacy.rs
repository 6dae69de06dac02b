//! Objects that count as private although another thread reaches them.
//!
//! An object is private until its address can have reached another thread, which is found out by following pointers.
//! That is only a means to leave out events: what makes it sound is that an access of another thread to a private object
//! is noticed when it happens, whatever the pointer says. The execution is given up there, the object's allocation site is
//! told, and the search begins anew with the objects of that site shared from their birth.

use crate::halt::Halt;
use crate::machine::Machine;
use crate::memory::{Found, ObjectKind, Pointer};
use selvedge_trace::mutants::{Mutant, mutant};
use selvedge_trace::{AllocationSite, Reduction};
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use xxhash_rust::xxh3::Xxh3;

/// What completes the sentence "unsupported ..." where an execution is given up.
const HIDDEN: &str = "access of a thread to memory of another one that counted as private";

/// Calls that tell allocation sites apart: more would make every round of a recursion a site of its own.
const CALLS: usize = 12;

/// What executions of a search have shown of objects that counted as private.
#[derive(Debug, Default)]
pub struct HiddenSharing {
    sites: Mutex<BTreeSet<AllocationSite>>,
    /// Machines say where the objects were allocated. It makes every allocation slower, so it is done only once it is
    /// known that there are such objects.
    tells_sites: bool,
    noticed: Arc<AtomicBool>,
}

impl HiddenSharing {
    /// Nothing was noticed yet. `noticed` is set when something is.
    pub fn new(noticed: Arc<AtomicBool>, tells_sites: bool) -> Self {
        HiddenSharing { sites: Mutex::default(), tells_sites, noticed }
    }

    fn note(&self, site: AllocationSite) {
        if self.tells_sites {
            self.sites.lock().unwrap_or_else(PoisonError::into_inner).insert(site);
        }
        self.noticed.store(true, Ordering::Relaxed);
    }

    /// The sites that were noticed.
    pub fn sites(&self) -> BTreeSet<AllocationSite> {
        self.sites.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Machine {
    /// An object has been allocated by a thread: it is shared at once if its site's objects are.
    pub(crate) fn share_at_birth(&mut self, thread: usize, pointer: Pointer) {
        let all = !self.config.reductions.has(Reduction::Privacy);
        if !all && self.config.births.is_empty() {
            return;
        }
        let Some(Found::Object(_, _, object)) = self.memory.find(pointer.address) else { return };
        if all || self.config.births.has(AllocationSite(object.site)) {
            // Nothing was written to it that could be too much to remember.
            _ = self.share(thread, pointer.provenance);
        }
    }

    /// Where a thread is about to allocate an object: a hash of its calls, the same in every schedule. 0 where that is
    /// not wanted.
    pub(crate) fn allocation_site(&self, thread: usize, kind: ObjectKind, origin: (u32, u32)) -> u64 {
        let wanted = self.config.hidden.as_ref().is_some_and(|hidden| hidden.tells_sites);
        if !wanted && self.config.births.sites.is_empty() {
            return 0;
        }
        let mut hasher = Xxh3::new();
        (kind as u8, origin).hash(&mut hasher);
        for frame in self.threads[thread].frames.iter().rev().take(CALLS) {
            (frame.function, frame.pc).hash(&mut hasher);
        }
        hasher.finish()
    }

    /// From here on accesses are those of a thread: it is noticed if they are to private objects of others.
    pub(crate) fn begin_accesses(&mut self, thread: usize) {
        self.memory.accessed_by(Some(self.threads[thread].arena));
    }

    /// The thread has stopped. The reason why it cannot go on, if it accessed a private object of another one.
    pub(crate) fn end_accesses(&mut self, thread: usize) -> Option<Halt> {
        let exposed = self.share_exposed(thread);
        self.memory.accessed_by(None);
        let Some(object) = self.memory.take_foreign() else { return exposed.err() };
        if let Some(hidden) = &self.config.hidden {
            hidden.note(AllocationSite(object.site));
        }
        Some(Halt::unsupported(HIDDEN))
    }

    /// Shares the objects whose addresses a thread holds where they cannot be followed, before any other thread can
    /// act.
    pub(crate) fn share_exposed(&mut self, thread: usize) -> Result<(), Halt> {
        let mut exposed = self.memory.take_exposed();
        if mutant(Mutant::CutPointers) {
            return Ok(());
        }
        // Several bytes of one address are exposed one by one.
        exposed.dedup();
        exposed.into_iter().try_for_each(|provenance| self.share(thread, provenance))
    }
}
