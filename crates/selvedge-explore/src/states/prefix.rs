//! Prefixes: the acts that lead from the first state to another one. Prefixes share their beginnings.

use std::sync::Arc;

/// The last act of a prefix, and the prefix before it.
pub struct Prefix {
    act: u16,
    before: Option<Arc<Prefix>>,
}

impl Prefix {
    /// A prefix with one more act; `None` is the empty one, of the first state.
    pub fn further(before: Option<&Arc<Prefix>>, act: u16) -> Option<Arc<Prefix>> {
        Some(Arc::new(Prefix { act, before: before.cloned() }))
    }

    /// The acts, the first one first.
    pub fn acts(prefix: Option<&Arc<Prefix>>) -> Vec<u16> {
        let mut acts = Vec::new();
        let mut at = prefix;
        while let Some(prefix) = at {
            acts.push(prefix.act);
            at = prefix.before.as_ref();
        }
        acts.reverse();
        acts
    }
}

impl Drop for Prefix {
    /// Prefixes are long: they are dropped one after the other, not one within the other.
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(mut prefix) = next.and_then(Arc::into_inner) {
            next = prefix.before.take();
        }
    }
}

#[test]
fn long_ways_are_told_and_forgotten() {
    let mut prefix = None;
    for act in 0..300_000_u32 {
        prefix = Prefix::further(prefix.as_ref(), (act % 7) as u16);
    }
    let other = Prefix::further(prefix.as_ref(), 9);
    assert_eq!(Prefix::acts(other.as_ref()).len(), 300_001);
    drop(prefix);
    assert_eq!(Prefix::acts(other.as_ref())[299_998..], [6, 0, 9][..]);
    assert!(Prefix::acts(None).is_empty());
}
