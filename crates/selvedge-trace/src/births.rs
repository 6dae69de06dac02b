//! Births: which objects count as shared from the moment of their allocation.
//!
//! Accesses to an object are events only once its address can have reached another thread (it has escaped). That is
//! found out by following pointers; where an address travels so that it cannot be followed, the access of another
//! thread shows it (hidden sharing), and from then on all objects of that allocation site count as shared from their
//! birth.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// Where an object is allocated: a hash of its kind and its place in the program, the same in every schedule. Sites
/// that have the same hash count as one, which only makes more objects shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct AllocationSite(pub u64);

/// The objects that count as shared from their birth.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Births {
    /// All objects.
    pub all: bool,
    /// Those of these sites.
    pub sites: BTreeSet<AllocationSite>,
}

impl Births {
    /// Whether objects of a site are meant.
    pub fn has(&self, site: AllocationSite) -> bool {
        self.all || self.sites.contains(&site)
    }

    /// Whether no object is meant.
    pub fn is_empty(&self) -> bool {
        !self.all && self.sites.is_empty()
    }

    /// Words for a file.
    pub(crate) fn words(&self) -> Vec<String> {
        let all = self.all.then(|| ALL.to_owned());
        all.into_iter().chain(self.sites.iter().map(AllocationSite::to_string)).collect()
    }

    /// From words of a file; the word that is none of them otherwise.
    pub(crate) fn from_words(words: &[String]) -> Result<Births, &str> {
        let mut births = Births::default();
        for word in words {
            match word.parse() {
                _ if word == ALL => births.all = true,
                Ok(site) => _ = births.sites.insert(site),
                Err(BadAllocationSite) => return Err(word),
            }
        }
        Ok(births)
    }
}

/// The word for all objects.
const ALL: &str = "all";

/// A text that is not a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadAllocationSite;

impl fmt::Display for AllocationSite {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:016x}", self.0)
    }
}

impl FromStr for AllocationSite {
    type Err = BadAllocationSite;

    fn from_str(text: &str) -> Result<Self, BadAllocationSite> {
        let digits = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = digits.then(|| u64::from_str_radix(text, 16).ok()).flatten();
        number.map(AllocationSite).ok_or(BadAllocationSite)
    }
}
